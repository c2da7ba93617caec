"""tools/validate thin: flows along walls with thin layers of triangles and tets, against exact values."""
import concurrent.futures
import json
import re
import shutil
import time

from program import ROOT, Missing
from thin_rows import rows
from thin_runs import HEAD, Bench, judged, line


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


def thin(options):
    """Runs the rows, prints them as they end, and writes table.md and table.json; 1 where one is missed."""
    base = (options.folder or ROOT / "out" / "validate-thin").resolve()
    chosen = _chosen(options)
    if options.list:
        print("\n".join(row.name for row in chosen))
        return 0
    shutil.rmtree(base, ignore_errors=True)
    base.mkdir(parents=True)
    bench, started, records, lines, left_out = Bench(options, base), time.monotonic(), [], HEAD.splitlines(), []
    print(HEAD, flush=True)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
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
    print("\n".join([*left_out, *(f"missed: {name}" for name in missed), f"{len(records) - len(missed)} of {len(records)} rows passed in {time.monotonic() - started:.0f} s, {base}/table.md"]))
    return 1 if missed else 0
