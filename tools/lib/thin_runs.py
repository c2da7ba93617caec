"""Runs of tools/validate thin: each set-up once, however many rows look at it, and what its rows measure."""
import dataclasses
import math
import os
import re
import shutil
import subprocess
import threading
import time
from pathlib import Path

from program import ROOT, Missing, summary, table
from thin_meshes import Layers
from vtk_state import State


@dataclasses.dataclass(frozen=True)
class Setup:
    """A case: its text without the mesh, settings, and how it is run. `goes_on`: settings with which it is then continued."""

    layers: Layers
    text: str
    sets: tuple = ()
    ranks: int = 1
    options: tuple = ()
    goes_on: tuple = ()

    def but(self, *sets, **others):
        return dataclasses.replace(self, sets=(*self.sets, *sets), **others)


class Ended:
    """A run: exit code (None: it was cut), what it said, and what it left."""

    def __init__(self, code, output, errors, folder, seconds):
        self.code, self.output, self.folder, self.seconds = code, output, folder, seconds
        lines = errors.strip().splitlines()
        self.warnings = [line.removeprefix("warning: ") for line in lines if line.startswith("warning: ")]
        self.words = " ".join(line for line in lines if not line.startswith("warning: "))
        self._tables = {}

    @property
    def summary(self):
        return summary(self.folder)

    @property
    def steps(self):
        """That it has done, also where it was cut."""
        file = self.folder / "monitors" / "flow.csv"
        return sum(1 for _ in open(file)) - 1 if file.exists() else 0

    def rows(self, monitor):
        if monitor not in self._tables:
            self._tables[monitor] = table(self.folder / "monitors" / f"{monitor}.csv")
        return self._tables[monitor]

    def last(self, monitor, column):
        return self.rows(monitor)[-1][column]

    def near(self, monitor, moment):
        """The row whose time is nearest."""
        return min(self.rows(monitor), key=lambda row: abs(row["time"] - moment))

    def series(self, monitor, column, after=0.0):
        rows = [row for row in self.rows(monitor) if row["time"] >= after]
        return [row["time"] for row in rows], [row[column] for row in rows]

    def text(self, monitor):
        return (self.folder / "monitors" / f"{monitor}.csv").read_bytes()

    @property
    def monitors(self):
        return sorted(file.stem for file in (self.folder / "monitors").glob("*.csv"))

    def largest(self, field):
        """Of its magnitude, at the end."""
        return max(abs(value) for value in self.summary["ranges"][field])

    def iterations(self, *names):
        """Of a solve of these names, in the mean."""
        solves = [s for s in self.summary["solves"] if s["name"] in names]
        return sum(s["iterations"] for s in solves) / max(1, sum(s["count"] for s in solves))

    def velocity_error(self, exact):
        """Relative L2 over the cells, of the last state."""
        state, above, below = State(self.folder, "thin"), 0.0, 0.0
        for u, x, volume in zip(state.values["velocity"], state.centroids(), state.volumes()):
            right = exact(x, state.time)
            above += volume * sum((a - b) ** 2 for a, b in zip(u, right))
            below += volume * sum(b * b for b in right)
        return math.sqrt(above / below)


def at(times, values, moment):
    """By the cubic through the four nearest samples."""
    first = min(range(len(times)), key=lambda i: abs(times[i] - moment))
    first = max(0, min(first - (times[first] > moment) - 1, len(times) - 4))
    chosen, found = range(first, min(first + 4, len(times))), 0.0
    for i in chosen:
        weight = 1.0
        for j in chosen:
            if j != i:
                weight *= (moment - times[j]) / (times[i] - times[j])
        found += weight * values[i]
    return found


class Bench:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.program = (options.program or ROOT / "build" / "solenoid").resolve()
        if not self.program.exists():
            raise Missing(f"{self.program} is not there: tools/build makes it")
        self._guard, self._locks, self._ended = threading.Lock(), {}, {}

    def _lock(self, key):
        with self._guard:
            return self._locks.setdefault(key, threading.Lock())

    def mesh(self, layers):
        """Its file, made once."""
        file = self.folder / "meshes" / layers.file
        with self._lock(layers.file):
            if not file.exists():
                file.parent.mkdir(parents=True, exist_ok=True)
                part = file.with_suffix(".part.msh")
                layers.write(part)
                part.rename(file)
        return file

    def run(self, setup):
        with self._lock(setup):
            if setup not in self._ended:
                with self._guard:
                    number = len(self._ended) + 1
                    while (folder := self.folder / f"{number:04d}").exists():
                        number += 1
                    folder.mkdir(parents=True)
                self._ended[setup] = self._run(setup, folder)
        return self._ended[setup]

    def _run(self, setup, folder):
        mesh = self.mesh(setup.layers)
        (folder / "case.toml").write_text(f'{setup.text}[mesh]\nfile = "{os.path.relpath(mesh, folder)}"\n')
        starter = [ROOT / "tools" / "mpirun", "-n", setup.ranks] if setup.ranks > 1 else []
        command = [*starter, self.program, "run", "case.toml", "-o", "out", "--device", self.options.device, *setup.options]
        started = time.monotonic()
        code, output, errors = self._call([*command, *_settings(setup.sets)], folder, "log")
        if setup.goes_on and code == 0:
            code, output, more = self._call([*command, "--continue", *_settings((*setup.sets, *setup.goes_on))], folder, "log2")
            errors += more
        return Ended(code, output, errors, folder / "out", time.monotonic() - started)

    def _call(self, command, folder, log):
        words = [str(word) for word in command]
        limit = self.options.limit or 300
        (folder / "command").write_text(" ".join(words) + "\n")
        with open(folder / log, "w") as out, open(folder / f"{log}-errors", "w") as errors:
            process = subprocess.Popen(words, cwd=folder, stdout=out, stderr=errors, env={**os.environ, "OMP_NUM_THREADS": "1"})
            try:
                code = process.wait(limit)
            except subprocess.TimeoutExpired:
                process.terminate()  # tools/mpirun ends its ranks
                process.wait()
                code = None
        return code, (folder / log).read_text(errors="replace"), (folder / f"{log}-errors").read_text(errors="replace")

    def forget(self, run):
        shutil.rmtree(run.folder.parent, ignore_errors=True)


def _settings(sets):
    return [word for setting in sets for word in ("--set", setting)]


# ---- rows


@dataclasses.dataclass
class Value:
    """What a row has measured. `tolerance`: of the relative error; `absolute`: of the difference; where nothing is exact, the most
    that is allowed. Without it the value is stated and not judged."""

    what: str
    measured: float
    exact: float | None
    tolerance: float | None
    absolute: bool = False
    of_thick: bool = False  # off, but on layers of aspect 10 as much

    @property
    def error(self):
        if self.exact is None:
            return self.measured
        return self.measured - self.exact if self.absolute else self.measured / self.exact - 1

    @property
    def is_right(self):
        if self.tolerance is None:
            return True
        return (self.error if self.exact is None else abs(self.error)) <= self.tolerance  # not of what is no number

    def words(self):
        if self.exact is None:
            error = f"at most {self.tolerance:g}"
        elif self.tolerance is None:
            error = f"{100 * self.error:+.2f} %"
        elif self.absolute:
            error = f"{self.error:+.1e} of {self.tolerance:g}"
        else:
            error = f"{100 * self.error:+.2f} of {100 * self.tolerance:g} %"
        mark = "" if self.is_right else "~" if self.of_thick else "**"
        return f"{mark}{self.what} {self.measured:.5g} ({error}){mark}"


def most(what, measured, allowed):
    return Value(what, measured, None, allowed)


THIN_WARNING = re.compile(r"\bthin|\baspect")
NONE, ANY, BEYOND, EITHER, AS_THICK = "no warning", "any", "must warn", "right or warned", "warns as the thick one does"
MOST_STEPS = 3  # over those of `thick`
STEPS = "steps over those of aspect 10"
AS_AT_TEN = "as at aspect 10"  # what is off is off as much there, marked ~: of the faces along the layers, or of the steps


@dataclasses.dataclass
class Row:
    """`measure(bench, run)` gives the values. `warns`: what is allowed. `refused`: it may end with code 2 and a remedy instead.
    `thick`: the same on layers of aspect 10, which bounds the number of steps."""

    group: str
    setup: Setup
    measure: object
    method: str = "exact"
    scheme: str = "bdf2"
    convection: str = "default"
    note: str = ""
    quick: bool = False
    long: bool = False
    warns: str = NONE
    refused: bool = False
    thick: Setup | None = None
    of_thick: dict = dataclasses.field(default_factory=dict)  # what the thick run has measured

    @property
    def name(self):
        s, ranks = self.setup, f"{self.setup.ranks} rank{'s' if self.setup.ranks > 1 else ''}"
        return ", ".join(word for word in (self.group, self.note, f"{s.layers.name} {s.layers.aspect:g} {s.layers.diagonals}", self.method, self.scheme,
                                           self.convection, ranks) if word)


class Outcome:
    """How a row ended: values, why it misses."""

    def __init__(self, row, run, values, wrong):
        self.row, self.run, self.values, self.wrong = row, run, values, wrong

    def record(self, device):
        row, run, layers = self.row, self.run, self.row.setup.layers
        return {"row": row.name, "group": row.group, "note": row.note, "mesh": layers.name, "aspect": layers.aspect, "product": layers.product, "method": row.method,
                "scheme": row.scheme, "convection": row.convection, "diagonals": layers.diagonals, "ranks": row.setup.ranks, "device": device,
                "values": [{"what": v.what, "measured": v.measured, "exact": v.exact, "error": v.error, "tolerance": v.tolerance, "absolute": v.absolute, "right": v.is_right, "of_thick": v.of_thick}
                           for v in self.values],
                "steps": run.steps, "seconds": run.seconds, "warnings": run.warnings, "code": run.code, "wrong": self.wrong, "passed": not self.wrong, "folder": str(run.folder.parent)}


HEAD = ("| case | mesh | aspect | product | method | scheme | convection | diagonals | ranks | device | measured (error of what is allowed) | steps | s | warned | code | verdict |\n"
        + "|---" * 16 + "|")


def line(record):
    values = "; ".join(Value(v["what"], v["measured"], v["exact"], v["tolerance"], v["absolute"], v["of_thick"]).words() for v in record["values"])
    verdict = (AS_AT_TEN if any(v["of_thick"] for v in record["values"]) else "passed") if record["passed"] else f"**missed**: {'; '.join(record['wrong'])}"
    cells = (record["group"] + (f", {record['note']}" if record["note"] else ""), record["mesh"], f"{record['aspect']:g}", f"{record['product']:.3g}", record["method"],
             record["scheme"], record["convection"], record["diagonals"], record["ranks"], record["device"], values, record["steps"], f"{record['seconds']:.1f}",
             len(record["warnings"]) or "no", "cut" if record["code"] is None else record["code"], verdict)
    return "| " + " | ".join(str(cell).replace("\n", " ").replace("|", "/") for cell in cells) + " |"


def _kind(warning):
    """Its words without numbers."""
    return re.sub(r"[-+]?[\d.]+(e[-+]?\d+)?", "#", warning)[:60]


def not_run(row, error):
    """The outcome of a row that could not be run or judged."""
    return Outcome(row, Ended(None, "", "", Path(), 0.0), [], [f"not run: {error!r}"])


AS_MUCH = 1.1  # times the error on layers of aspect 10


def _is_of_thick(value, row, bench):
    """Whether the same flow on layers of aspect 10 is off as much: what the mesh's faces along the layers or the steps leave is not of thin cells. Marks the value."""
    if not row.thick or row.thick == row.setup or value.what == STEPS:
        return False
    thick = bench.run(row.thick)
    if thick.code != 0:
        return False
    if id(thick) not in row.of_thick:
        row.of_thick[id(thick)] = row.measure(bench, thick)
    value.of_thick = next((abs(other.error) <= math.inf and abs(value.error) <= AS_MUCH * abs(other.error) for other in row.of_thick[id(thick)] if other.what == value.what), False)
    return value.of_thick


def judged(row, bench):
    run = bench.run(row.setup)
    wrong, values = [], []
    if run.code == 2 and row.refused:
        return Outcome(row, run, [], [] if run.words else ["refused without a word"])
    if run.code is None:
        wrong.append(f"not done in {bench.options.limit or 300:g} s")
    elif run.code != 0:
        wrong.append(f"code {run.code}: {run.words[:200]}")
    else:
        try:
            values = row.measure(bench, run)
            if row.thick:
                values.append(most(STEPS, run.steps / bench.run(row.thick).steps, MOST_STEPS))
        except Missing:
            raise
        except Exception as error:  # a table without rows, an empty place: this row is wrong, and the others go on
            wrong.append(f"no value: {error!r}")
    off = [value.what for value in values if not value.is_right and not _is_of_thick(value, row, bench)]
    about_layers = [warning for warning in run.warnings if THIN_WARNING.search(warning)]
    if row.warns == BEYOND:
        wrong = [w for w in wrong if run.code is None] + ([] if about_layers else ["no warning of thin layers"])  # it may fail, and says so at the start
    elif row.warns == EITHER:
        wrong += [] if about_layers else [f"{what} off" for what in off]
    else:
        wrong += [f"{what} off" for what in off]
    borne = {_kind(warning) for warning in bench.run(row.thick or row.setup).warnings} if row.warns == AS_THICK and run.warnings else set()  # the thick one itself has none
    if row.warns in (NONE, AS_THICK):
        wrong += [f"warned: {warning[:120]}" for warning in run.warnings if _kind(warning) not in borne]
    return Outcome(row, run, values, wrong)
