"""The commands that show results: tables, a report, and printed values beside ours."""

from pathlib import Path
from typing import Annotated

import typer

from core.cli_output import print_document, print_rows, say
from core.cli_session import JsonFlag, TableFormat, open_store
from core.metric_names import in_words

StudyNames = Annotated[list[str], typer.Argument(metavar="STUDY...", help="The studies.")]
Judge = Annotated[
    str, typer.Option(metavar="MODEL", help="Whose verdicts count, where a study has several.")
]


def tables(
    studies: StudyNames,
    format: Annotated[TableFormat, typer.Option(help="How to print them.")] = TableFormat.TEXT,
    judge: Judge = "",
) -> None:
    """Print the metric tables of one or more studies."""
    from core.workflows.judges import judge_named
    from core.workflows.results import tables_document
    from core.workflows.studies import study_named

    with open_store() as store:
        chosen = [study_named(store, name) for name in dict.fromkeys(studies)]
        document = tables_document(store, chosen, judge=judge_named(store, chosen, judge))
    if format is TableFormat.JSON:
        print_document(document)
    else:
        results = chosen[0].shape.results()
        header, rows = results.flat_rows(document)
        print_rows(
            header,
            rows,
            format,
            n_names=results.flat_names,
            best=results.flat_best,
            best_within=results.flat_best_within,
        )
        if format is TableFormat.TEXT:
            for note in results.flat_notes(document):
                say(note)


def report(
    studies: StudyNames,
    to: Annotated[Path, typer.Option(metavar="FILE.html", help="The file to write.")],
    judge: Judge = "",
) -> None:
    """Write a report of one or more studies as one HTML file that needs nothing else."""
    from core.charts.pictures import exhibit_picture
    from core.workflows.judges import judge_named
    from core.workflows.reporting import save_report
    from core.workflows.studies import study_named

    with open_store() as store:
        chosen = [study_named(store, name) for name in dict.fromkeys(studies)]
        whose = judge_named(store, chosen, judge)
        n_bytes = save_report(store, chosen, to, draw=exhibit_picture, judge=whose)
    say(f"The report is in {to} ({n_bytes:,} bytes).")


def compare(
    studies: StudyNames,
    printed: Annotated[Path, typer.Option(metavar="FILE", help="Printed values, as JSON.")],
    as_json: JsonFlag = False,
) -> None:
    """Put printed values of any source beside ours, with a verdict for each."""
    from core.exchange.printed_file import read_printed_file
    from core.workflows.results import label_counts, values_comparison
    from core.workflows.studies import study_named

    file = read_printed_file(printed)
    with open_store() as store:
        chosen = [study_named(store, name) for name in dict.fromkeys(studies)]
        compare_values = values_comparison(chosen)
        counts = label_counts(store, chosen)
    found = compare_values(counts, file.values)
    rows = found.astype(object).where(found.notna(), None)
    agree, known = int(found["agrees"].sum()), int(found["agrees"].notna().sum())
    if as_json:
        print_document({"source": file.source, "values": rows.to_dict("records")})
    else:
        print_rows(list(rows.columns), rows.to_numpy().tolist(), TableFormat.CSV)
    say(f"{file.source}: {agree} of {known} values that can be compared agree")


def profile(
    models: Annotated[
        list[str] | None, typer.Argument(metavar="MODEL...", help="By default all with results.")
    ] = None,
    format: Annotated[TableFormat, typer.Option(help="How to print it.")] = TableFormat.TEXT,
) -> None:
    """Print what all protocols say of a model, side by side."""
    from core.protocols.shown import NOT_MEASURED
    from core.workflows.profiles import model_profiles

    with open_store() as store:
        found = model_profiles(store, models=models or (), with_unmeasured=True)
    plain = found.astype(object).where(found.notna(), None)
    if format is TableFormat.TEXT:
        is_missing = plain["why"] == NOT_MEASURED
        plain.loc[is_missing, ["value", "low", "high", "why"]] = [NOT_MEASURED, "", "", ""]
    if format is TableFormat.JSON:
        print_document(plain.to_dict("records"))
        return
    if format is TableFormat.TEXT:
        plain["metric"] = plain["metric"].map(in_words)
    print_rows(list(plain.columns), plain.to_numpy().tolist(), format)
