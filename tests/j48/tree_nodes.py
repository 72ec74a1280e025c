"""A tree as J48Trees.java writes one: its nodes, each before its branches."""

from __future__ import annotations

from typing import Any

import numpy as np

import suffice as sf


def nodes_of(tree: sf.DecisionTreeClassifier) -> list[dict[str, Any]]:
    """The nodes of a tree: the class weights, the class, and of an inner node its test."""
    nodes, classes = tree.model_.nodes, [str(label) for label in tree.classes_]
    decision, is_leaf = tree.model_.decision.tolist(), nodes.is_leaf.tolist()
    found, waiting = [], [0]
    while waiting:
        at = waiting.pop()
        node: dict[str, Any] = {
            "counts": dict(zip(classes, nodes.statistic[at].tolist(), strict=True)),
            "label": classes[decision[at]],
        }
        if not is_leaf[at]:
            node |= {"column": tree.model_.tested(at).name, "branches": int(nodes.branch_count[at])}
            if np.isfinite(nodes.threshold[at]):
                node["threshold"] = float(nodes.threshold[at])
            waiting.extend(reversed(nodes.children(at)))
        found.append(node)
    return found


def named(nodes: list[dict[str, Any]], columns: list[str], classes: list[str]) -> list[dict[str, Any]]:
    """J48's nodes by the names of columns and classes instead of their places."""
    found = []
    for node in nodes:
        other = {**node, "counts": dict(zip(classes, node["counts"], strict=True)), "label": classes[node["label"]]}
        if "column" in node:
            other["column"] = columns[node["column"]]
        found.append(other)
    return found


def difference(ours: list[dict[str, Any]], theirs: list[dict[str, Any]]) -> str:
    """Where two trees first differ; empty where they are the same."""
    for place, (mine, other) in enumerate(zip(ours, theirs, strict=False)):
        keys = ("column", "branches", "threshold", "label")
        is_same = all(mine.get(key) == other.get(key) for key in keys)
        weights = [(mine["counts"].get(label, 0.0), weight) for label, weight in other["counts"].items()]
        if not is_same or any(abs(one - two) > 1e-6 for one, two in weights):
            return f"node {place} of {len(ours)}: {mine}\nJ48, node {place} of {len(theirs)}: {other}"
    return "" if len(ours) == len(theirs) else f"{len(ours)} nodes, J48 {len(theirs)}"
