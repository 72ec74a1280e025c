"""Model files: readable, versioned JSON; large arrays as .npy members beside it in a zip. Loading runs no code."""

from __future__ import annotations

import dataclasses
import hashlib
import io
import json
import os
import struct
import zipfile
import zlib
from collections.abc import Mapping
from typing import IO, Any

import numpy as np

from suffice.errors import ModelFileError
from suffice.models.gaussian_discriminant import GaussianDiscriminantModel
from suffice.models.generative import GenerativeModel
from suffice.models.joint_bayes import JointBayesModel
from suffice.models.likelihoods.categorical import Categorical
from suffice.models.likelihoods.gaussian import Gaussian
from suffice.models.likelihoods.kernel_density import KernelDensity
from suffice.models.likelihoods.poisson import Poisson
from suffice.models.linear import LinearModel
from suffice.models.logistic import LogisticModel
from suffice.models.naive_bayes import NaiveBayesModel
from suffice.models.perceptron import PerceptronModel
from suffice.models.tree import ClassificationTree, RegressionTree, TreeModel
from suffice.schema import LeftOut, Nominal, Numeric, Schema, Text
from suffice.solve.probabilities import Fractions
from suffice.solve.trees.nodes import Nodes
from suffice.statistics.class_weights import ClassWeights
from suffice.statistics.counts import Counts
from suffice.statistics.design import Design
from suffice.statistics.fourth_moments import FourthMoments
from suffice.statistics.full_moments import FullMoments
from suffice.statistics.indicators import Indicators
from suffice.statistics.joint_counts import JointCounts
from suffice.statistics.matrix_moments import MatrixMoments
from suffice.statistics.moments import Moments
from suffice.statistics.pairwise_moments import PairwiseMoments
from suffice.statistics.statistic import Together
from suffice.statistics.tally import Tally
from suffice.statistics.totals import Totals
from suffice.statistics.value_counts import ValueCounts
from suffice.whole_file import whole_file

FORMAT = "suffice model"
VERSION = 1
DOCUMENT = "model.json"  # the name of the JSON inside a zip
LARGE_ARRAY = 50_000  # numbers; larger arrays go beside the JSON

KNOWN: dict[str, type[Any]] = {
    known.__name__: known
    for known in (
        Categorical,
        ClassWeights,
        ClassificationTree,
        Counts,
        Design,
        FourthMoments,
        Fractions,
        FullMoments,
        Gaussian,
        GaussianDiscriminantModel,
        Indicators,
        JointBayesModel,
        JointCounts,
        KernelDensity,
        LeftOut,
        LogisticModel,
        MatrixMoments,
        Moments,
        NaiveBayesModel,
        Nodes,
        Nominal,
        Numeric,
        PairwiseMoments,
        PerceptronModel,
        Poisson,
        RegressionTree,
        Schema,
        Tally,
        Text,
        Together,
        Totals,
        ValueCounts,
    )
}
SHARED = (Schema, Indicators)  # every statistic carries them; the file has each once
_DAMAGES = (  # what damaged JSON, zip archives and arrays raise
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    RuntimeError,
    MemoryError,
    OSError,
    EOFError,
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
)
DTYPES = ("float64", "int32", "int64", "bool")


def save(path: str | os.PathLike[str], kind: str, content: Mapping[str, Any], library_version: str) -> None:
    """Write a model file, whole or not at all."""
    writer = _Writer()
    body = {name: writer.encode(part) for name, part in content.items()}
    document: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "suffice": library_version,
        "kind": kind,
    }
    document |= {"shared": writer.shared, **body}
    document["checksum"] = _checksum(document, writer.members)
    _write(os.fspath(path), _pretty(document) + "\n", writer.members)


def load(path: str | os.PathLike[str]) -> tuple[str, dict[str, Any]]:
    """Read a model file: what kind of model it is, and its content."""
    name = os.fspath(path)
    document, members = _read(name)
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ModelFileError(f"{name} is not a suffice model file. Files of this kind are written by `save`.")
    if not isinstance(document.get("version"), int) or document["version"] > VERSION:
        raise ModelFileError(
            f"{name} was written by a newer suffice ({document.get('suffice')}, file version "
            f"{document.get('version')}); this one reads up to version {VERSION}. Upgrade suffice."
        )
    try:
        if document.pop("checksum", None) != _checksum(document, members):
            raise ValueError("its checksum does not fit, so it is damaged or was changed by hand")
        reader = _Reader(members)
        for part in document["shared"]:
            reader.shared.append(reader.decode(part))
        fixed = ("format", "version", "suffice", "kind", "shared")
        content = {key: reader.decode(part) for key, part in document.items() if key not in fixed}
        _require_parts(document["kind"], content)
        return document["kind"], content
    except _DAMAGES as error:
        raise ModelFileError(f"{name} cannot be understood ({error}). Use another copy.") from error


def _require_parts(kind: Any, content: Mapping[str, Any]) -> None:
    """A file whose checksum fits may still have been made by someone else."""
    model = content["model"]
    is_model = isinstance(model, (GenerativeModel, TreeModel, LinearModel)) and isinstance(model.schema, Schema)
    if not (isinstance(kind, str) and is_model):
        raise ValueError("it holds no model")
    if isinstance(model, TreeModel):
        _require_tree(model)
        return
    if not isinstance(model.schema.target, Nominal):
        raise ValueError("it holds no model of classes")
    if isinstance(model, LinearModel):
        _require_linear(model)
        return
    if not isinstance(content["statistic"], Together):
        raise ValueError("it holds no statistic")


def _require_linear(model: LinearModel) -> None:
    """The kernels follow a design's numbers blindly, so these must lead somewhere."""
    count = model.schema.class_count
    if not isinstance(model.design, Design) or count < 2:
        raise ValueError("it holds no linear model")
    model.require_sound(count - 1 if isinstance(model, LogisticModel) or count == 2 else count)


def _require_tree(model: TreeModel) -> None:
    """The kernels follow a tree's numbers blindly, so these must lead somewhere."""
    target = Nominal if isinstance(model, ClassificationTree) else Numeric
    if not isinstance(model.nodes, Nodes) or not isinstance(model.schema.target, target):
        raise ValueError("it holds no tree")
    model.nodes.require_sound([len(c.levels) if isinstance(c, Nominal) else 0 for c in model.schema.columns])
    width = model.schema.class_count if target is Nominal else 3
    if model.nodes.statistic.shape != (model.nodes.count, width):
        raise ValueError("the tree's counts do not fit its classes")


class _Writer:
    def __init__(self) -> None:
        self.members: dict[str, bytes] = {}
        self.shared: list[Any] = []
        self._seen: list[Any] = []

    def encode(self, value: Any) -> Any:
        if isinstance(value, SHARED):
            return {"shared": self._share(value)}
        return self._encode(value)

    def _share(self, value: Any) -> int:
        for position, seen in enumerate(self._seen):
            if seen is value or (type(seen) is type(value) and seen == value):
                return position
        encoded = self._encode(value)
        self._seen.append(value)
        self.shared.append(encoded)
        return len(self._seen) - 1

    def _encode(self, value: Any) -> Any:
        if isinstance(value, np.generic):
            value = value.item()
        if value is None or isinstance(value, (bool, int, str)):
            return value
        if isinstance(value, float):
            return value if np.isfinite(value) else {"float": str(value)}
        if isinstance(value, np.ndarray):
            return self._array(value)
        if isinstance(value, tuple):
            return {"tuple": [self.encode(part) for part in value]}
        if isinstance(value, list):
            return [self.encode(part) for part in value]
        if isinstance(value, Mapping):
            return {"map": [[self.encode(key), self.encode(part)] for key, part in value.items()]}
        if type(value).__name__ in KNOWN and dataclasses.is_dataclass(value):
            fields = {field.name: self.encode(getattr(value, field.name)) for field in dataclasses.fields(value)}
            return {"type": type(value).__name__, **fields}
        raise ModelFileError(f"A model file cannot hold a {type(value).__name__} ({value!r:.60}).")

    def _array(self, array: np.ndarray[Any, Any]) -> Any:
        if array.dtype.name not in DTYPES:
            return {"list": [self.encode(part) for part in array.tolist()]}
        if array.size > LARGE_ARRAY:
            member = f"arrays/{len(self.members)}.npy"
            stream = io.BytesIO()
            np.save(stream, array, allow_pickle=False)
            self.members[member] = stream.getvalue()
            return {"member": member}
        if array.dtype.kind == "f" and not np.all(np.isfinite(array)):
            parts = [self._encode(number) for number in array.ravel().tolist()]
            return {"array": array.dtype.name, "shape": list(array.shape), "flat": parts}
        return {"array": array.dtype.name, "shape": list(array.shape), "values": array.tolist()}


class _Reader:
    def __init__(self, members: Mapping[str, bytes]) -> None:
        self.members = members
        self.shared: list[Any] = []

    def decode(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self.decode(part) for part in value]
        if not isinstance(value, dict):
            return value
        if "type" in value:
            fields = {key: self.decode(part) for key, part in value.items() if key != "type"}
            return KNOWN[value["type"]](**_renewed(value["type"], fields))
        if "shared" in value:
            return self.shared[value["shared"]]
        if "tuple" in value:
            return tuple(self.decode(part) for part in value["tuple"])
        if "map" in value:
            return {self.decode(key): self.decode(part) for key, part in value["map"]}
        if "float" in value:
            return float(value["float"])
        if "list" in value:
            return np.array([self.decode(part) for part in value["list"]])
        return self._array(value)

    def _array(self, value: dict[str, Any]) -> Any:
        if "member" in value:
            array = np.lib.format.read_array(io.BytesIO(self.members[value["member"]]), allow_pickle=False)
            if array.dtype.name not in DTYPES:
                raise ValueError(f"unknown type of array {array.dtype.name!r}")
            return array
        if value["array"] not in DTYPES:
            raise ValueError(f"unknown type of array {value['array']!r}")
        numbers = value["values"] if "values" in value else [self.decode(part) for part in value["flat"]]
        return np.array(numbers, dtype=value["array"]).reshape(value["shape"])


def _renewed(kind: str, fields: dict[str, Any]) -> dict[str, Any]:
    """The fields of an older file as they are called now."""
    if kind == "Numeric" and "is_time" in fields:
        return {"name": fields["name"], "time": "moment" if fields["is_time"] else ""}
    return fields


def _checksum(document: Mapping[str, Any], members: Mapping[str, bytes]) -> str:
    """SHA-256 over the content in a fixed form."""
    digest = hashlib.sha256(json.dumps(document, sort_keys=True, ensure_ascii=False).encode("utf-8", "surrogatepass"))
    for name in sorted(members):
        digest.update(name.encode())
        digest.update(members[name])
    return digest.hexdigest()


def _pretty(value: Any, indent: str = "") -> str:
    """JSON for readers: one entry a line, but a list of plain values on one line."""
    deeper = indent + " "
    if isinstance(value, dict) and value:
        entries = (f"{deeper}{json.dumps(key)}: {_pretty(part, deeper)}" for key, part in value.items())
        return "{\n" + ",\n".join(entries) + f"\n{indent}}}"
    if isinstance(value, list) and any(isinstance(part, (dict, list)) for part in value):
        return "[\n" + ",\n".join(deeper + _pretty(part, deeper) for part in value) + f"\n{indent}]"
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _write(path: str, text: str, members: Mapping[str, bytes]) -> None:
    if os.path.exists(path) and not os.path.isfile(path):
        raise ModelFileError(f"{path} is not a file, so it cannot be replaced by one. Give the path of a file.")
    if not os.path.isdir(os.path.dirname(os.path.realpath(path))):
        raise ModelFileError(f"{path} cannot be written: there is no such folder. Make it first.")
    document = text.encode("utf-8", "backslashreplace")  # a lone surrogate becomes its JSON escape
    try:
        with whole_file(path) as file:
            if members:
                _write_archive(file, {DOCUMENT: document, **members})
            else:
                file.write(document)
    except OSError as error:
        raise ModelFileError(f"{path} cannot be written: {error.strerror or error}. Choose another place.") from error


def _write_archive(file: IO[bytes], members: Mapping[str, bytes]) -> None:
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in members.items():
            entry = zipfile.ZipInfo(name)  # without the time, so that the same model is the same file
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)


def _read(path: str) -> tuple[Any, dict[str, bytes]]:
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise ModelFileError(f"{path} cannot be opened: {error.strerror}. Check the path.") from error
    members: dict[str, bytes] = {}
    try:
        if data.startswith(b"PK"):
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                members = {entry.filename: _member(archive, entry) for entry in archive.infolist()}
            data = members.pop(DOCUMENT)
        return json.loads(data.decode("utf-8")), members
    except _DAMAGES as error:
        raise ModelFileError(f"{path} is not a suffice model file, or is damaged ({error}).") from error


def _member(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """The bytes of one member; only what `save` writes is read at all."""
    if not (entry.filename == DOCUMENT or entry.filename.startswith("arrays/")):
        raise ValueError(f"it has the member {entry.filename!r:.60}, which model files do not have")
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError("it is compressed in a way that model files are not")
    return archive.read(entry)
