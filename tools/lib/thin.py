"""tools/validate thin: flows along walls with thin layers of triangles and tets, against exact values."""
import concurrent.futures
import json
import os
import re
import shutil
import time

from program import ROOT, Missing
from thin_rows import rows
from thin_runs import AS_AT_TEN, HEAD, Bench, Value, judged, line, not_run


CHAPTER = """## Thin layers at walls

`tools/validate thin` runs flows along walls with layers of triangles and tets that are up to 10 000
times as long as high, on meshes that it writes itself. Exact values are series and closed forms,
or the same flow on layers of aspect 10. The product is that of the aspect with the length along the
wall over the wall's radius. "Nearest to its limit" is the value of the group whose error is the
largest part of what is allowed. A row passes, too, where the same flow on layers of aspect 10 is off
by as much: that is of the faces along the layers or of the steps, not of thin cells; these are counted apart.

| flow | aspects | largest product | rows | passed | of these as at aspect 10 | nearest to its limit |
|---|---|---|---|---|---|---|
"""


def _part(value):
    """Of the error that is allowed."""
    return abs(value["error"]) / value["tolerance"] if value["tolerance"] else 0.0


def chapter(records):
    """Of the page: a line of each group."""
    lines = []
    for group in dict.fromkeys(record["group"] for record in records):
        found = [record for record in records if record["group"] == group]
        aspects, passed = [record["aspect"] for record in found], [record for record in found if record["passed"]]
        alike = sum(any(value["of_thick"] for value in record["values"]) for record in passed)
        worst = max((value for record in found for value in record["values"]), key=_part, default=None)
        words = Value(worst["what"], worst["measured"], worst["exact"], worst["tolerance"], worst["absolute"], worst["of_thick"]).words().replace("|", "/") if worst else ""
        lines.append(f"| {group} | {min(aspects):g} to {max(aspects):g} | {max(record['product'] for record in found):.3g} | {len(found)} | {len(passed)} | {alike} | {words} |")
    return CHAPTER + "\n".join(lines) + "\n"


def _chosen(options):
    """Rows by --quick, --long and --only."""
    found = [row for row in rows() if re.search(options.only, row.name) and (row.quick or not options.quick) and (options.long or not row.long)]
    if not found:
        raise ValueError(f'thin: no row has a name that fits --only "{options.only}"')
    return found


def _tried(row, bench):
    try:
        return judged(row, bench)
    except Missing as missing:
        return missing
    except Exception as error:  # of one row: the table goes on without it
        return not_run(row, error)


def thin(options):
    """Runs the rows, prints them as they end, and writes table.md and table.json. The chapter of the page, and the exit code."""
    base = (options.folder or ROOT / "out" / "validate-thin").resolve()
    chosen = _chosen(options)
    if options.list:
        print("\n".join(row.name for row in chosen))
        return None, 0
    shutil.rmtree(base, ignore_errors=True)
    base.mkdir(parents=True)
    bench, started, records, lines, left_out = Bench(options, base), time.monotonic(), [], HEAD.splitlines(), []
    print(HEAD, flush=True)
    with concurrent.futures.ThreadPoolExecutor(options.jobs or os.cpu_count()) as pool:
        for row, outcome in zip(chosen, pool.map(lambda row: _tried(row, bench), chosen)):
            if isinstance(outcome, Missing):
                left_out.append(f"left out: {row.name}: {outcome}")
                continue
            records.append(outcome.record(options.device))
            lines.append(line(records[-1]))
            print(lines[-1], flush=True)
            (base / "table.md").write_text("\n".join(lines) + "\n")
            (base / "table.json").write_text(json.dumps(records, indent=1) + "\n")
    missed = [record["row"] for record in records if not record["passed"]]
    as_at_ten = sum(record["passed"] and any(value["of_thick"] for value in record["values"]) for record in records)
    print("\n".join([*left_out, *(f"missed: {name}" for name in missed), f"{len(records) - len(missed)} of {len(records)} rows passed, {as_at_ten} of them {AS_AT_TEN}, in {time.monotonic() - started:.0f} s, {base}/table.md"]))
    return chapter(records), 1 if missed else 0
