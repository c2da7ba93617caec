"""tools/validate setups: the random set-ups of `robust` with plates, ramps, pulses, jumps and slow flow, each of which must end well, or be refused in words,
and agree, where it is slow, with a quarter of the step."""
import collections
import concurrent.futures
import os
import shutil
import time
import traceback

import robust
import varied_cases
from program import ROOT, summary, table

MOST_REYNOLDS = 200  # of what is compared
ALLOWED = 0.02  # of the range
LATE = 0.1  # part of the run before which forces are those of the start


class Comparison:
    """Of two runs that end at the same time: by quantity, the difference at the end and the mean one over the run, both over the quantity's range."""

    def __init__(self):
        self.parts, self.why, self.part = {}, "", 1.0  # of the run, where the limit of time ended the one with short steps

    @property
    def worst(self):
        return max((v for pair in self.parts.values() for v in pair), default=0.0)


def _interpolated(times, values, at):
    """Of both sorted; constant beyond the ends."""
    found, i = [], 0
    for t in at:
        while i + 1 < len(times) and times[i + 1] < t:
            i += 1
        if t <= times[0] or len(times) == 1:
            found.append(values[0])
        elif t >= times[-1]:
            found.append(values[-1])
        else:
            a, b = times[i], times[i + 1]
            found.append(values[i] + (values[i + 1] - values[i]) * (t - a) / (b - a))
    return found


def _series(folder, file, after=0.0):
    """Times, and the columns of values by name."""
    rows = [row for row in table(folder / "monitors" / f"{file}.csv") if row["time"] >= after]
    return [row["time"] for row in rows], {key: [row[key] for row in rows] for key in rows[0]} if rows else {}


def _differences(one, other, names, scale=0.0):
    """At the end, and the mean over time, of the worst of several columns, over the largest range among them, which zero belongs to."""
    (times, columns), (more, others) = one, other
    count = max(1, sum(t <= more[-1] * (1 + 1e-12) for t in times))
    times, columns = times[:count], {name: values[:count] for name, values in columns.items()}
    ranges = [max(*others[n], 0.0) - min(*others[n], 0.0) for n in names]
    size = max([*ranges, scale])
    end = mean = 0.0
    for name in names:
        gaps = [abs(a - b) for a, b in zip(columns[name], _interpolated(more, others[name], times), strict=True)]
        steps = [b - a for a, b in zip([times[0], *times], times)]
        end = max(end, gaps[-1])
        mean = max(mean, sum(g * s for g, s in zip(gaps, steps)) / sum(steps) if sum(steps) > 0 else gaps[-1])
    return (end / size, mean / size) if size > 0 else (0.0, 0.0)


def _quarter(set_up, folder, options, environment):
    """The same to the same time with a quarter of the step: a quarter of the Courant number, of the longest step, and the error of a step, of third order."""
    found, result = Comparison(), summary(folder / "results")
    rows = table(folder / "results" / "monitors" / "flow.csv")
    settings = [f"time.end={result['time']!r}", "time.steps=1000000", "time.courant=0.15", f"time.tolerance={1e-3 / 64!r}",
                f"time.largest_step={max(row['step_length'] for row in rows) / 4!r}", f"time.first_step={rows[0]['step_length'] / 4!r}"]
    limit = 1.5 * (options.limit or 300)
    code, words = robust.run(folder, options.ranks or 1, limit, options.program, "quarter", settings, environment)
    if code:
        found.why = f"a quarter of the step: code {code}: {words[-300:]}"
        return found
    rows = table(folder / "quarter" / "monitors" / "flow.csv") if (folder / "quarter" / "monitors" / "flow.csv").exists() else []
    if not rows:
        found.why = f"a quarter of the step: no step in {limit:g} s"
        return found
    found.part = rows[-1]["time"] / result["time"]
    one, other = ((folder / name) for name in ("results", "quarter"))
    found.parts["kinetic energy"] = _differences(_series(one, "flow"), _series(other, "flow"), ["kinetic_energy"])
    after, d = LATE * rows[-1]["time"], set_up.shape.dimension
    density = set_up.table["fluid"]["density"]
    least = 1e-6 * density * set_up.speed ** 2 * set_up.length ** (d - 1) * max(1, 1 / set_up.reynolds)  # below it is rounding
    for monitor in set_up.table.get("monitor", []):
        pair = _series(one, monitor["name"], after), _series(other, monitor["name"], after)
        if pair[0][0] and pair[1][0]:
            found.parts[monitor["name"]] = _differences(*pair, [f"force_{a}" for a in "xyz"[:d]], least)
    return found


def _made(seed, options, base):
    """One set-up, run and judged; its comparison."""
    folder, environment = base / f"seed-{seed}", {**os.environ, "OMP_NUM_THREADS": "1"}
    started, comparison = time.monotonic(), None
    try:
        outcome = robust.one(seed, options, folder, varied_cases.make, environment)
        s = outcome.set_up
        if not outcome.refused and not outcome.reasons and s.reynolds <= MOST_REYNOLDS:
            comparison = _quarter(s, folder, options, environment)
            if comparison.why:
                outcome.fail("quarter", comparison.why)
            elif not comparison.worst <= ALLOWED:
                outcome.fail("differs", "; ".join(f"{n}: {e:.2%} at the end, {m:.2%} in the mean" for n, (e, m) in comparison.parts.items() if max(e, m) > ALLOWED))
    except Exception:  # of one set-up: the others go on
        return seed, None, traceback.format_exc(), time.monotonic() - started
    if not outcome.reasons and not options.keep:
        shutil.rmtree(folder)
    return seed, outcome, comparison, time.monotonic() - started


def _row(seed, outcome, comparison, seconds):
    """Of the table: seed, Reynolds number, how it ended, the differences, what it is."""
    if outcome is None:
        return f"| {seed} | | **no set-up** | | | {seconds:.0f} | {comparison.strip().splitlines()[-1]} |"
    s = outcome.set_up
    kinds = list(dict(outcome.reasons))
    how = f"**{', '.join(kinds)}**" if kinds else "refused" if outcome.refused else "done"
    energy = forces = ""
    if comparison and not comparison.why:
        both = {name: f"{end:.2%}, {mean:.2%}" for name, (end, mean) in comparison.parts.items()}
        energy = both.pop("kinetic energy")
        worst = max((p for p in comparison.parts.items() if p[0] != "kinetic energy"), key=lambda p: max(p[1]), default=None)
        forces = both[worst[0]] if worst else ""
        energy += f" (of the first {comparison.part:.0%})" if comparison.part < 0.999 else ""
    said = "; ".join(words for _, words in outcome.reasons) or (outcome.words.splitlines()[-1][-160:] if outcome.refused and outcome.words else "")
    return f"| {seed} | {s.reynolds:.3g} | {how} | {energy} | {forces} | {seconds:.0f} | {s.words()}, {s.cells} cells{': ' + said if said else ''} |".replace("\n", " ")


def setups(options):
    """Runs the set-ups of seeds SEED, SEED + 1, ..., several at a time, and writes FOLDER/table.md as they end; 1 where one is bad."""
    base = (options.folder or ROOT / "out" / "setups").resolve()
    base.mkdir(parents=True, exist_ok=True)
    done = {}
    head = ["| seed | Re | ended | kinetic energy: end, mean | forces: end, mean | seconds | set-up |", "|---|---|---|---|---|---|---|"]
    seeds = range(options.seed, options.seed + options.count)
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        for future in concurrent.futures.as_completed([pool.submit(_made, seed, options, base) for seed in seeds]):
            result = future.result()
            done[result[0]] = result
            print(_row(*result), flush=True)
            (base / "table.md").write_text("\n".join(head + [_row(*done[seed]) for seed in sorted(done)]) + "\n")
    ends, bad = collections.Counter(), []
    for seed, outcome, _, _ in (done[seed] for seed in sorted(done)):
        kinds = list(dict(outcome.reasons)) if outcome else ["no set-up"]
        ends.update(kinds or ["refused" if outcome.refused else "done"])
        bad += [seed] if kinds else []
    lines = [f"{how}: {count}" for how, count in ends.most_common()] + [f"{len(bad)} of {len(done)} bad" + (f": seeds {' '.join(map(str, bad))}" if bad else "")]
    with open(base / "table.md", "a") as out:
        out.write("\n" + "\n".join(lines) + "\n")
    print("\n".join(["", *head, *(_row(*done[seed]) for seed in sorted(done)), "", *lines]))
    return 1 if bad else 0
