"""tools/validate ranks: every case of cases/ on 1 to 4 ranks, whose answers may differ by what the solvers' tolerance leaves."""
import json
import math
import shutil
import subprocess

from coarse_cases import SOLVERS, Meshes, chosen_cases, physics
from program import ROOT, Failed, call, run_command, solenoid, summary, table
from vtk_state import State

STEPS = 20
RANKS = (1, 2, 3, 4)
TIGHTER = 100
DEFAULTS = {"flow": 1e-6, "heat": 1e-10, "wave": 1e-10, "poisson": 1e-10, "boussinesq": 1e-5}  # tolerances, in double
ALLOWED = {"velocity": 1e-5, "pressure": 1e-3, "temperature": 1e-5, "displacement": 1e-5, "U": 1e-5, "elevation": 1e-3}
ROUNDING = 1e-10  # differences below need not fall any more
LINE_POINTS = 101
FIELDS = {"flow": ["velocity"], "heat": ["temperature"], "wave": ["displacement"], "poisson": ["U"], "boussinesq": ["elevation"]}


def _bounds(case, overrides, program):
    """Corners of the case's mesh."""
    if box := case.get("mesh.box"):
        d = box.get("dimension", 3)
        return box.get("low", [0.0] * d)[:d], box.get("high", [1.0] * d)[:d]
    if grid := case.get("grid"):
        return grid.get("low", [0.0, 0.0]), grid.get("high", [1.0, 1.0])
    file = next((word.partition("=")[2] for word in overrides if word.startswith("mesh.file=")), case.folder / case.get("mesh.file"))
    info = json.loads(subprocess.run([program, "mesh", "info", file, "--json"], capture_output=True, text=True, check=True).stdout)
    scale, d = case.get("mesh.scale", 1.0), info["dimension"]
    return [scale * v for v in info["low"][:d]], [scale * v for v in info["high"][:d]]


def _lines(case, overrides, program):
    """Monitors along the domain's diagonals and its middle lines, as they stand in --set; of a mapped grid the case's own."""
    if case.get("grid.map"):
        return "output.vtk=true"
    low, high = _bounds(case, overrides, program)
    middle = [(a + b) / 2 for a, b in zip(low, high)]
    ends = [(low, high), ([high[0], *low[1:]], [low[0], *high[1:]])]
    for k in range(len(low)):
        ends.append(([*middle[:k], low[k], *middle[k + 1:]], [*middle[:k], high[k], *middle[k + 1:]]))
    lines = [f'{{type="line", name="ranks{n}", from={a}, to={b}, points={LINE_POINTS}}}' for n, (a, b) in enumerate(ends)]
    return "monitor=[" + ", ".join(lines) + "]"


def _tolerances(case, factor):
    if factor == 1:
        return []
    default = DEFAULTS[physics(case)]
    names = [name for name in SOLVERS[physics(case)] if physics(case) != "wave" or case.get("wave.time_scheme") == "trapezoidal"]
    return [f"solver.{name}.tolerance={case.get(f'solver.{name}.tolerance', default) / factor:g}" for name in names]


class Answer:
    """Of one run: fields of the last state, and the pressure along the lines."""

    def __init__(self, folder, case):
        self.summary = summary(folder)
        self.pressure = []
        if case.get("grid"):  # along the lines: its states are no cells
            rows = [row for file in sorted((folder / "monitors").glob("*.csv")) for row in table(file) if "x" in row and "y" in row]
            self.fields = {name: [[row[name] for row in rows if isinstance(row.get(name), float)]] for name in FIELDS[physics(case)]}
            return
        state = State(folder, case.name)
        self.fields = {name: [field[name] for field in (state.points, state.values) if name in field] for name in FIELDS[physics(case)]}
        rows = [row for file in sorted((folder / "monitors").glob("ranks*.csv")) for row in table(file)]
        self.pressure = [row["p"] for row in rows] if physics(case) == "flow" else []


def _largest(values):
    return max((math.hypot(*v) if isinstance(v, tuple) else abs(v) for v in values if v is not None), default=0.0)


def _spread(values):
    known = [v for v in values if isinstance(v, float)]
    return max(known) - min(known) if known else 0.0


def _gap(one, other):
    return _largest([tuple(p - q for p, q in zip(a, b)) if isinstance(a, tuple) else a - b for a, b in zip(one, other) if a is not None])


def _differences(one, other):
    """{what: relative}: of a velocity or displacement to the largest, of a pressure or temperature to its range."""
    found = {}
    for name, fields in one.fields.items():
        size = max(_spread([v for f in fields for v in f]) if name == "temperature" else max(map(_largest, fields)), 1e-300)
        found[name] = max(_gap(a, b) for a, b in zip(fields, other.fields[name])) / size
    if one.pressure:
        pairs = [(a, b) for a, b in zip(one.pressure, other.pressure) if isinstance(a, float) or isinstance(b, float)]
        if not all(isinstance(a, float) and isinstance(b, float) for a, b in pairs):
            found["pressure"] = math.inf  # a place outside on some ranks only
        else:
            found["pressure"] = max(abs(a - b) for a, b in pairs) / max(_spread(one.pressure), 1e-300)
    return found


def _compared(case, words, factor, base, program):
    """Largest differences of 2, 3 and 4 ranks from 1, and that one's summary."""
    answers = []
    for ranks in RANKS:
        folder = base / f"{case.folder.name}-{case.name}" / f"{factor}x-{ranks}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        call(run_command(case, folder, ranks, [*words, *_tolerances(case, factor)], program=program), folder / "log")
        answers.append(Answer(folder, case))
    found = {}
    for answer in answers[1:]:
        for name, value in _differences(answers[0], answer).items():
            found[name] = max(found.get(name, 0.0), value)
    return found, answers[0].summary


def _judged(default, tight):
    """What is wrong, one word a quantity."""
    wrong = [f"{name} differs" for name, value in default.items() if not value <= ALLOWED[name]]
    return wrong + [f"{name} does not fall" for name, value in tight.items() if not (value < default[name] or value <= ROUNDING)]


def ranks(options):
    """The chapter of the page, and whether all is well."""
    base = ROOT / "out" / "validate-ranks"
    program = options.program or solenoid()
    meshes = Meshes(program, base / "meshes")
    lines, good = ["| case | cells | what | 1 to 4 ranks | allowed | tolerances 100 times smaller |", "|---|---|---|---|---|---|"], True
    for line in lines:
        print(line)
    for case in chosen_cases(options.cases[1:]):
        words = ["picture=[]", *([] if options.long else meshes.coarse(case))]
        words.append(_lines(case, words, program))
        if case.get("time"):
            words.append(f"time.steps={STEPS}")
        try:
            default, found = _compared(case, words, 1, base, program)
            tight, _ = _compared(case, words, TIGHTER, base, program)
        except Failed as error:
            good = False
            print(f"{case.name}: {error}", flush=True)
            continue
        wrong = _judged(default, tight)
        good = good and not wrong
        cells = f"{found['cells']:,}".replace(",", " ")
        for name, value in default.items():
            mark = "".join(f" **{w}**" for w in wrong if w.startswith(name))
            lines.append(f"| {case.name} | {cells} | {name} | {value:.1e}{mark} | {ALLOWED[name]:.0e} | {tight[name]:.1e} |")
            print(lines[-1], flush=True)
    return _CHAPTER + "\n".join(lines) + "\n", good


_CHAPTER = f"""## Numbers of ranks

`tools/validate ranks` runs {STEPS} steps of every case in cases/ on 1, 2, 3 and 4 ranks: at its own
tolerances, and at tolerances {TIGHTER} times smaller. The table has the largest difference of any number
of ranks from one. Velocities and displacements in cells and nodes are relative to the largest,
pressures along the diagonals and middle lines of the domain to their range there, temperatures to
their range. Meshes of about 2 000 cells stand for those of more than 6 000 (`--long`: all as they
are). The car's own 9 175 tets (`--long`) miss: 3.5e-05 in velocity at default tolerances, 2.2e-07
with smaller ones (pressure 5.3e-06 and 1.6e-08).

"""
