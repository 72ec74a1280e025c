"""`suffice describe`: a model, or a table, as text."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from suffice.cli.data import Data
from suffice.cli.json_document import print_json
from suffice.cli.lists import separated, separated_columns
from suffice.cli.notes import noting
from suffice.cli.options import AsJson, Encoding, MissingSpellings, NoHeader, NominalColumns
from suffice.cli.progress_line import progress
from suffice.cli.screen import messages, report, show_notes
from suffice.cli.wide_text import fitted
from suffice.cli.wording import in_options, left_out
from suffice.errors import SettingError
from suffice.progress import doing

if TYPE_CHECKING:
    from suffice.models.trees.rules import Rule, RuleList
    from suffice.report.summary import Summary


def describe(
    given: Annotated[str, typer.Argument(metavar="MODEL_OR_DATA", help="A model file, or a table.")],
    nominal: NominalColumns = None,
    missing: MissingSpellings = None,
    rules: Annotated[bool, typer.Option("--rules", help="Show a tree as if-then rules.")] = False,
    summary: Annotated[
        bool, typer.Option("--summary", help="Show a logistic regression's coefficients with their errors.")
    ] = False,
    full: Annotated[bool, typer.Option("--full", help="Show all of a model, however long its tables are.")] = False,
    encoding: Encoding = None,
    no_header: NoHeader = False,
    as_json: AsJson = False,
) -> None:
    """Show a whole model, or what the columns of a table are."""
    from suffice.persist import is_model_file

    data = Data(given, encoding, no_header)
    if is_model_file(data.path):
        of_tables = {"--nominal": nominal, "--missing": missing, "--encoding": encoding, "--no-header": no_header}
        if unfit := [name for name, value in of_tables.items() if value]:
            raise SettingError(f"{unfit[0]} says how a table is read; {data.name!r} is a model file. Leave it out.")
        _describe_model(data.path, rules, summary, full, as_json)
    elif rules or summary:
        what = "--rules shows the rules of a tree" if rules else "--summary shows a logistic regression"
        raise SettingError(f"{what}; {data.name!r} is no model file.")
    else:
        _describe_table(data, separated_columns(data, nominal) or [], separated(missing), as_json)


def _describe_model(path: str, with_rules: bool, with_summary: bool, is_full: bool, as_json: bool) -> None:
    with progress("reading the model"):
        from suffice.estimators import load

        estimator = load(path)
        rules = _rules(estimator) if with_rules else None
        summary = _summary(estimator) if with_summary else None
        shown = [str(part) for part in (rules, summary) if part is not None]
        description = "\n\n".join(shown) if shown else in_options(estimator.describe(full=is_full))
    if not as_json:
        console = report()
        console.print(fitted(description, console.width), soft_wrap=True)
        return
    schema = estimator.schema_
    print_json(
        {
            "model": type(estimator).__name__,
            "settings": estimator.get_params(deep=False),
            **_task(estimator),
            "columns": schema.names,
            "left_out": left_out(schema),
            "parameters": estimator.parameter_count,
            "notes": list(map(in_options, schema.notes)),
            "description": description,
            **({} if rules is None else {"rules": list(map(_rule, rules)), "otherwise": rules.default}),
            **({} if summary is None else {"summary": _summary_document(summary)}),
        }
    )


def _task(estimator: Any) -> dict[str, Any]:
    """What a model is for; a distribution has no target."""
    from suffice.estimators.capabilities import predicts

    if not predicts(estimator):
        return {"task": "distribution"}
    target, classes = estimator.schema_.target.name, estimator.schema_.classes
    return {"target": target, "task": "classification" if classes else "regression", "classes": classes}


def _rules(estimator: Any) -> RuleList:
    from suffice.estimators.capabilities import has_rules

    if not has_rules(estimator):
        raise SettingError(f"--rules shows the rules of a tree; this model is a {type(estimator).__name__}.")
    rules: RuleList = estimator.rules()
    return rules


def _summary(estimator: Any) -> Summary:
    from suffice.estimators.capabilities import has_summary

    if not has_summary(estimator):
        raise SettingError(f"--summary shows a logistic regression; this model is a {type(estimator).__name__}.")
    summary: Summary = estimator.summary()
    return summary


def _summary_document(summary: Summary) -> dict[str, Any]:
    return {
        "reference": summary.reference,
        "is_posterior": summary.is_posterior,
        "confidence": summary.confidence,
        "coefficients": [asdict(line) for line in summary.coefficients],
        "log_likelihood": summary.log_likelihood,
        "null_log_likelihood": summary.null_log_likelihood,
        "pseudo_r2": summary.pseudo_r2,
        **({} if summary.is_posterior else {"aic": summary.aic, "bic": summary.bic}),
        "notes": summary.notes,
    }


def _rule(rule: Rule) -> dict[str, Any]:
    return {"if": [str(condition) for condition in rule.conditions], "then": rule.answer, "rows": rule.covered}


def _describe_table(data: Data, nominal: list[str], missing: list[str], as_json: bool) -> None:
    with progress(), noting() as notes:
        from suffice.information.overview import as_text, overview

        with doing("reading the table"):
            found = overview(data.table(), nominal, missing)
    notes += map(in_options, found.remarks)
    if as_json:
        show_notes(messages(), notes)
        print_json({"data": data.given, **found.as_dict(), "notes": notes})
        return
    console = report()
    console.print(f"{data.name}: {found.size}")
    console.print()
    console.print(as_text(found, console.width), soft_wrap=True)
    if notes:
        console.print()
    show_notes(console, notes)
