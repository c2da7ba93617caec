"""tools/validate time-tolerance: errors in time against time.tolerance, and rates of growth of convection by steps of the run's own choice."""
import math
import os
import shutil
import subprocess

from program import ROOT, Failed, solenoid, summary, table

CHAPTER = """## Errors in time

`tools/validate time-tolerance` runs flows on coarse meshes with `time.tolerance` from 1e-3 to 1e-6.
The Courant number is far below its limit, and solvers have tolerances of 1e-12. The reference is a
run with steps of a tenth of the last one's mean. The error is the root mean square difference of a
line's samples at the end, over those of the reference. It has to fall at least fourfold for a
decade of the tolerance (local errors go with the step's cube, errors of the run with its square:
4.6).

| flow | 1e-3 | 1e-4 | 1e-5 | 1e-6 | steps | least fall a decade |
|---|---|---|---|---|---|---|
"""
GROWTH = """
Convection between slipping, insulated sides, pi/3.117 wide, starts from a roll of a thousandth on
64 cells over the height, with default settings. The rate of growth of the velocity [kappa/H^2] is
compared with the linear theory's, within 2 %.

| Ra | Pr | theory | computed | steps |
|---|---|---|---|---|
"""
TOLERANCES = ("1e-3", "1e-4", "1e-5", "1e-6")
LEAST_FALL = 4.0
MOST_OFF = 0.02  # of a rate of growth

SOLVERS = "".join(f"[solver.{name}]\ntolerance = 1e-12\n" for name in ("stream_function", "momentum", "scalar"))
QUIET = "[output]\nvtk = false\n"
WALL, SLIP, PERIODIC = 'type = "wall"\n', 'type = "symmetry"\n', 'type = "periodic"\npartner = "xmax"\n'


def box(cells, width, height=1.0):
    return f"[mesh.box]\ncells = {cells}\ndimension = 2\nhigh = [{width}, {height}]\n"


def sides(**tables):
    return "".join(f"[boundary.{name}]\n{text}" for name, text in tables.items())


def line(start, end):
    return f'[[monitor]]\ntype = "line"\nname = "line"\nfrom = {start}\nto = {end}\npoints = 41\n'


def flow(viscosity, more):
    return f'physics = "flow"\n[fluid]\nviscosity = {viscosity}\n' + more + SOLVERS + QUIET


TAU = 2 * math.pi
# Of each: the case but for [time] tolerance and step, the end, and the columns that are compared.
FLOWS = {
    "Taylor-Green vortices that decay": (
        flow(10, box(800, TAU, TAU) + sides(xmin=PERIODIC, ymin='type = "periodic"\npartner = "ymax"\n')
             + '[initial]\nvelocity = ["-cos(x)*sin(y)", "sin(x)*cos(y)"]\n' + line([0.1, 0.2], [6, 5])), 0.1, ("u", "v")),
    "Womersley's flow": (
        flow(0.1, box(400, 1) + sides(xmin=PERIODIC, ymin=WALL, ymax=WALL) + f'[flow]\nbody_force = ["cos({TAU}*t)", 0]\n' + line([0.5, 0], [0.5, 1])), 2.3, ("u",)),
    "Stokes' second problem": (
        flow(0.05, box(400, 1) + sides(xmin=PERIODIC, ymin=WALL + f'velocity = ["sin({TAU}*t)", 0]\n', ymax=WALL) + line([0.5, 0], [0.5, 1])), 2.3, ("u",)),
    "a scalar that diffuses at rest": (
        flow(1, box(400, 1) + sides(xmin=WALL, xmax=WALL, ymin=WALL, ymax=WALL) + '[scalar.T]\ndiffusivity = 1\ninitial = "cos(pi*y)"\n' + line([0.5, 0], [0.5, 1])),
        0.2, ("T",)),
}
RATES = {(1600, 1.0): -0.832, (1800, 1.0): 0.694, (1600, 0.71): -0.732, (1800, 0.71): 0.609}


class Bench:
    def __init__(self, options):
        self.program = options.program or solenoid()
        self.folder = ROOT / "out" / "time-tolerance"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.count = 0

    def run(self, text):
        self.count += 1
        folder = self.folder / str(self.count)
        folder.mkdir()
        (folder / "case.toml").write_text(text)
        done = subprocess.run([self.program, "run", "case.toml", "-o", "out", "--quiet"], cwd=folder, capture_output=True, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"})
        if done.returncode:
            raise Failed(f"{folder}: code {done.returncode}: {done.stderr.strip()}")
        return folder / "out"


def samples(folder, columns):
    rows = table(sorted((folder / "monitors").glob("line*.csv"))[-1])
    last = max(row["time"] for row in rows) if "time" in rows[0] else None
    return [row[column] for row in rows if last is None or row["time"] == last for column in columns]


def apart(one, other):
    size = math.sqrt(sum(b * b for b in other))
    return math.sqrt(sum((a - b) ** 2 for a, b in zip(one, other))) / size


def errors_of(bench, text, end, columns):
    """At each tolerance, and the steps that it took."""
    found = [bench.run(f"{text}[time]\nend = {end}\ncourant = 1\ntolerance = {tolerance}\n") for tolerance in TOLERANCES]
    steps = [summary(folder)["steps"] for folder in found]
    small = samples(bench.run(f"{text}[time]\nend = {end}\nstep = {end / (10 * steps[-1])}\n"), columns)
    return [apart(samples(folder, columns), small) for folder in found], steps


def rate_of_growth(bench, rayleigh, prandtl):
    wide, end = math.pi / 3.117, 3.0
    insulated = SLIP
    text = flow(prandtl, box(int(2 * 64 * 64 * wide), wide) + sides(xmin=insulated, xmax=insulated, ymin=WALL + "T = 1\n", ymax=WALL + "T = 0\n")
                + f'[scalar.T]\ndiffusivity = 1\ninitial = "1-y+1e-3*cos(3.117*x)*sin(pi*y)"\nexpansion = {rayleigh * prandtl}\nreference = 0.5\n').replace("[fluid]\n", "[fluid]\ngravity = [0, -1]\n")
    text = text.replace(SOLVERS, "")
    folder = bench.run(f"{text}[time]\nend = {end}\n")
    rows = table(folder / "monitors" / "flow.csv")
    first = next(row for row in rows if row["time"] >= 0.5 * end)
    last = rows[-1]
    return 0.5 * math.log(last["kinetic_energy"] / first["kinetic_energy"]) / (last["time"] - first["time"]), len(rows)


def time_tolerance(options):
    """The chapter, and whether all is as it must be."""
    bench, chapter, good = Bench(options), CHAPTER, True

    def add(row):
        nonlocal chapter
        print(row, flush=True)
        chapter += row + "\n"
    for name, (text, end, columns) in FLOWS.items():
        if options.only and options.only not in name:
            continue
        errors, steps = errors_of(bench, text, end, columns)
        falls = [before / after for before, after in zip(errors, errors[1:])]
        good = good and min(falls) >= LEAST_FALL
        add(f"| {name} | " + " | ".join(f"{e:.2e}" for e in errors) + f" | {', '.join(map(str, steps))} | {min(falls):.1f}" + (" |" if min(falls) >= LEAST_FALL else " **too little** |"))
    chapter += GROWTH
    for (rayleigh, prandtl), rate in RATES.items():
        if options.only and options.only not in "convection":
            continue
        found, steps = rate_of_growth(bench, rayleigh, prandtl)
        is_near = abs(found - rate) <= MOST_OFF * abs(rate)
        good = good and is_near
        add(f"| {rayleigh} | {prandtl:g} | {rate} | {found:.4f}" + (" " if is_near else " **off** ") + f"| {steps} |")
    return chapter, good
