"""tools/validate robust: random set-ups of flows with default settings, each of which must end well."""
import collections
import math
import shutil
import subprocess
import time

import random_cases
from program import ROOT, solenoid, summary, table
from vtk_state import State

LEAST_DIVERGENCE = 1e-13  # of the exact method in double precision
ENERGY_FACTOR = 4  # of the kinetic energy, beyond what the data explain
LOCAL_FACTOR = 10  # of the speed in a cell, beyond the root mean square that the data explain: corners, tips, gaps
RANGE_TOLERANCE = 1e-6  # of a scalar, of the range of its data


class Outcome:
    """How a set-up ended: why it is bad, nothing where it is good, and figures as parts of what is allowed."""

    def __init__(self, set_up):
        self.set_up, self.reasons, self.figures, self.seconds, self.refused, self.words = set_up, [], {}, 0.0, False, ""

    def fail(self, kind, words):
        self.reasons.append((kind, words))

    def judge(self, kind, value, limit, words):
        part = value / limit if limit > 0 else (0.0 if value <= 0 else math.inf)
        self.figures[kind] = max(part, self.figures.get(kind, 0))
        if not part <= 1:
            self.fail(kind, words)


def run(folder, ranks, limit, program, results="results", settings=(), environment=None):
    """Exit code (None after too long) and the last words."""
    starter = [ROOT / "tools" / "mpirun", "-n", ranks] if ranks > 1 else []
    command = [*starter, program or solenoid(), "run", folder / "case.toml", "-o", folder / results, "--device", "cpu"]
    for setting in settings:
        command += ["--set", setting]
    log = folder / ("log" if results == "results" else f"log-{results}")
    said = log.with_name(log.name.replace("log", "errors"))
    with open(log, "w") as out, open(said, "w") as errors:
        process = subprocess.Popen([str(word) for word in command], stdout=out, stderr=errors, env=environment)
        try:
            code = process.wait(limit)
        except subprocess.TimeoutExpired:
            code = None
            process.terminate()  # it finishes its step
            try:
                process.wait(70)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
    return code, said.read_text(errors="replace").strip()


def _judge_refusal(outcome, code, words):
    """Of a set-up that is, or may be, bad input."""
    s = outcome.set_up
    wanted = [words for words in (s.refusal, s.may_refuse) if words]
    outcome.refused = code == 2
    if s.refusal and code != 2:
        outcome.fail("not refused", f"\"{s.refusal}\" expected, but it ended with code {code}: {words[-300:]}")
    elif code == 2 and not any(w in words for w in wanted):
        outcome.fail("refused", "refused" + (f", not by \"{' or '.join(wanted)}\"" if wanted else "") + f": {words[-300:]}")


def _largest_speed(state):
    return max(math.hypot(*u) for u in state.values["velocity"])


def _judge_energy(outcome, rows, state):
    """Kinetic energy at every step, a cell's speed at the end, its change in a step."""
    volume, explained = sum(state.volumes()), outcome.set_up.explained
    speed = explained.speed(state.time)
    worst = max(rows, key=lambda r: r["kinetic_energy"])
    allowed = ENERGY_FACTOR * volume * explained.speed(worst["time"]) ** 2 / 2
    outcome.judge("energy", worst["kinetic_energy"], allowed,
                  f"kinetic energy {worst['kinetic_energy']:.3g} at t = {worst['time']:.4g} s, {allowed:.3g} explained")
    largest = _largest_speed(state)
    outcome.judge("speed", largest, LOCAL_FACTOR * speed,
                  f"speed {largest:.3g} m/s in a cell, {LOCAL_FACTOR} x {speed:.3g} explained")
    sudden = max(rows[10:], key=lambda r: r["rate_of_change"] * r["step_length"], default=None)
    if sudden:
        change = sudden["rate_of_change"] * sudden["step_length"]
        outcome.judge("jump", change, LOCAL_FACTOR * speed, f"velocity of a cell changes by {change:.3g} m/s in the step to "
                      f"t = {sudden['time']:.4g} s, {LOCAL_FACTOR} x {speed:.3g} explained")


def _judge_scalars(outcome, result, state):
    for name, data in outcome.set_up.explained.scalars.items():
        if data is None:
            continue  # a flux was given
        low, high = outcome.set_up.explained.range_of(name, state.time)
        least, largest = result.get("ranges", {}).get(name) or (min(state.values[name]), max(state.values[name]))
        beyond = max(low - least, largest - high)
        outcome.judge("scalar", beyond, RANGE_TOLERANCE * (high - low),
                      f"{name} from {least:.9g} to {largest:.9g}, data from {low:.9g} to {high:.9g}: "
                      f"{beyond / (high - low):.2g} of their range beyond")


def _is_finite(values):
    return all(all(map(math.isfinite, v)) if isinstance(v, tuple) else math.isfinite(v) for v in values if v is not None)


def _judge_results(outcome, folder):
    result = summary(folder / "results")
    if result["status"] not in ("done", "stopped"):
        outcome.fail("failed", f"status {result['status']}")
    rows = table(folder / "results" / "monitors" / "flow.csv")
    state = State(folder / "results", folder.name)
    for name, values in [*state.points.items(), *state.values.items()]:
        if not _is_finite(values):
            outcome.fail("not finite", f"{name} is not finite")
    if not all(isinstance(v, float) and math.isfinite(v) for row in rows for v in row.values()):
        outcome.fail("not finite", "monitors/flow.csv holds what is no number")
    if outcome.reasons:
        return
    _judge_energy(outcome, rows, state)
    _judge_scalars(outcome, result, state)
    if outcome.set_up.method == "exact":
        divergence = result["max_divergence"]
        outcome.judge("divergence", divergence, LEAST_DIVERGENCE, f"max_divergence {divergence:.1e}")


def one(seed, options, folder, make=random_cases.make, environment=None):
    """Makes the set-up of a seed in an empty folder, runs it and judges it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    outcome, limit = Outcome(make(seed, options.cells, options.steps, folder)), options.limit or 300
    started = time.monotonic()
    code, words = run(folder, options.ranks or 1, limit, options.program, environment=environment)
    outcome.seconds, outcome.words = time.monotonic() - started, words
    if code is None:
        outcome.fail("too long", f"not done in {limit:g} s")
    elif code == 2 or outcome.set_up.refusal:
        _judge_refusal(outcome, code, words)
    elif code:
        outcome.fail("failed", f"code {code}: {words[-300:]}")
    else:
        _judge_results(outcome, folder)
    return outcome


def _report(outcomes):
    """How many of each kind are good, and the figures nearest to, or farthest beyond, what is allowed."""
    kinds = collections.defaultdict(lambda: [0, 0])
    for o in outcomes:
        s = o.set_up
        decade = int(math.log10(s.reynolds))
        for kind in [f"{s.shape.dimension}D {s.shape.kind.split()[0]}", s.method, s.drive, f"Re 1e{decade} to 1e{decade + 1}",
                     "scalars" if s.explained.scalars else "no scalars", *(["bad on purpose"] if s.refusal else [])]:
            kinds[kind][bool(o.reasons)] += 1
    print("\n| kind | good | bad |\n|---|---|---|")
    for kind, (good, bad) in sorted(kinds.items()):
        print(f"| {kind} | {good} | {bad} |")
    print("\n| why bad | set-ups |\n|---|---|")
    for kind, count in sorted(collections.Counter(kind for o in outcomes for kind in dict(o.reasons)).items()):
        print(f"| {kind} | {count} |")
    print("\n| figure, over what is allowed | worst | seed |\n|---|---|---|")
    for name in sorted({name for o in outcomes for name in o.figures}):
        worst = max((o for o in outcomes if name in o.figures), key=lambda o: o.figures[name])
        print(f"| {name} | {worst.figures[name]:.2g} | {worst.set_up.seed} |")


def robust(options):
    """Runs the set-ups of seeds SEED, SEED + 1, ...; 1 where one is bad."""
    outcomes = []
    for seed in range(options.seed, options.seed + options.count):
        folder = (options.folder or ROOT / "out" / "robust").resolve() / f"seed-{seed}"
        outcome = one(seed, options, folder)
        outcomes.append(outcome)
        word = "bad " if outcome.reasons else "refused" if outcome.refused else "good"
        print(f"seed {seed}: {word:8}{outcome.set_up.words()}, {outcome.set_up.cells} cells, {outcome.seconds:.1f} s", flush=True)
        for _, words in outcome.reasons:
            print(f"    {words}", flush=True)
        if outcome.reasons:
            print(f"    {folder}", flush=True)
        elif not options.keep:
            shutil.rmtree(folder)
    _report(outcomes)
    bad = [str(o.set_up.seed) for o in outcomes if o.reasons]
    print(f"\n{len(bad)} of {len(outcomes)} bad" + (f": seeds {' '.join(bad)}" if bad else ""))
    return 1 if bad else 0
