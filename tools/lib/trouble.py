"""tools/validate trouble: what users have reported of this and other programs, each against what is right, and pulses in all data."""
import itertools
import math
import os
import re
import shutil
import subprocess

import pulses
import trouble_flows
import trouble_slip
import trouble_inputs as given
import trouble_silent
from program import ROOT, Failed, solenoid, summary, table

LIMIT = 120  # s of a run: longer ones hang

CHAPTER = """## Troubles of users

`tools/validate trouble` runs what users have reported of this and other programs, in inputs of its
own. Each gives the right result, or is refused in words where a program cannot know what is meant.
The reference is a closed form, the same mesh with small steps, or the same quantity computed in
another way, as its row says. Rows that need a mesh of Gmsh are left out where there is no `gmsh`.

| report | value | reference | computed | verdict |
|---|---|---|---|---|
"""
PULSES = """
### Pulses in every datum

Every datum that may depend on time has a pulse of 1 s in 1000 s: a jump up and down, and a bell,
both with the integral 1 s. A pulse leaves what is known in closed form (`tools/lib/pulses.py`);
within 1 % is right.

| datum | pulse | left by it | computed | steps | verdict |
|---|---|---|---|---|---|
"""


LENGTHS = """
### Pulses of any length

Jumps of 1e-3 to 1e-9 of the run and bells of 1e-3 to 1e-7 in what makes heat, motion and scalars.
What is left must be right within 1e-6 after a jump, where 1e-7 is the rounding of t, and within
1e-4 after a bell.

| datum | pulse | part of the run | error of what is left | steps | verdict |
|---|---|---|---|---|---|
"""


class Ended:
    """A run: exit code (None: it hung), what it said, and its folder."""

    def __init__(self, code, words, folder):
        self.code, self.words, self.folder = code, words.strip(), folder

    def rows(self, monitor):
        return table(self.folder / "monitors" / f"{monitor}.csv")

    def last(self, monitor, column):
        return self.rows(monitor)[-1][column]

    def summary(self):
        return summary(self.folder)

    def integral(self, monitor, column):
        """Of means over steps."""
        rows = self.rows(monitor)
        return sum((row["time"] - before) * row[column] for row, before in zip(rows, [0.0, *(r["time"] for r in rows)]))


class Bench:
    """Runs in folders of its own, and the rows of the report."""

    def __init__(self, options, folder):
        self.options, self.folder, self.count = options, folder, itertools.count(1)
        self.rows, self.bad, self.name = [], 0, ""

    def mesh(self, folder, geo):
        (folder / "mesh.geo").write_text(geo)
        dimension = "-3" if "Volume" in geo else "-2"
        task = [] if "\nMesh 2;" in geo else [dimension]
        subprocess.run(["gmsh", "mesh.geo", *(task or ["-save"]), "-format", "msh41", "-v", "1", "-o", "mesh.msh"], cwd=folder, check=True, stdout=subprocess.DEVNULL)

    def run(self, text, *sets, geo=None, ranks=1, options=(), environment=None, command="run", folder=None):
        """`command` init: the case is written by `solenoid init` and run. `folder`: one that is there."""
        if not folder:
            folder = self.folder / f"{next(self.count):03d}"
            folder.mkdir(parents=True)
        if geo:
            self.mesh(folder, geo)
        (folder / "case.toml").write_text(text)
        program = self.options.program or solenoid()
        if command == "init":
            done = subprocess.run([program, "init", "mesh.msh", "-o", "new.toml"], cwd=folder, capture_output=True, text=True)
            if done.returncode:
                return Ended(done.returncode, done.stderr, folder)
            (folder / "new.toml").rename(folder / "case.toml")
        starter = [ROOT / "tools" / "mpirun", "-n", ranks] if ranks > 1 else []
        words = [*starter, program, "run", "case.toml", "-o", "out", "--device", "cpu", "--quiet", *options]
        for setting in sets:
            words += ["--set", setting]
        try:
            done = subprocess.run([str(word) for word in words], cwd=folder, capture_output=True, text=True, timeout=LIMIT, env={**os.environ, **(environment or {})})
        except subprocess.TimeoutExpired:
            return Ended(None, f"not done in {LIMIT} s", folder / "out")
        return Ended(done.returncode, done.stderr, folder / "out")

    def tool(self, *words, files):
        """A command of the program beside `run`, in a folder of its own with these files (text or bytes)."""
        folder = self.folder / f"{next(self.count):03d}"
        folder.mkdir(parents=True)
        for name, content in files.items():
            (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
        try:
            done = subprocess.run([str(self.options.program or solenoid()), *words, "--device", "cpu", "--quiet"], cwd=folder, capture_output=True, text=True, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            return Ended(None, f"not done in {LIMIT} s", folder)
        return Ended(done.returncode, done.stderr, folder)

    def continued(self, stopped, text, *sets):
        """A run that goes on from what another has left, as this case."""
        folder = self.folder / f"{next(self.count):03d}"
        shutil.copytree(stopped.folder.parent, folder)
        return self.run(text, *sets, options=["--continue"], folder=folder)

    def reference(self, *arguments, **options):
        """A run that others are compared with."""
        run = self.run(*arguments, **options)
        if run.code:
            raise Failed(f"{self.name}: what others are compared with ended with code {run.code}: {run.words}")
        return run

    # ---- rows

    def row(self, what, reference, computed, verdict):
        self.bad += verdict.startswith("**")
        self.rows.append(f"| {self.name} | {what} | {reference} | {computed} | {verdict} |")
        print(self.rows[-1], flush=True)

    def ended(self, run, what, reference):
        """Whether a run ended well; else a row says how."""
        if run.code != 0:
            self.row(what, reference, "hangs" if run.code is None else f"code {run.code}: {first_line(run.words)}", "**wrong**")
        return run.code == 0

    def number(self, what, run, value, reference, tolerance, absolute=False, source=""):
        """`value`: of the run; the tolerance is relative to the reference, or absolute."""
        told = f"{reference:.5g}{', ' + source if source else ''}, within {f'{tolerance:g}' if absolute else f'{100 * tolerance:g} %'}"
        if not self.ended(run, what, told):
            return
        found = value(run)
        off = abs(found - reference) / (1 if absolute else abs(reference))
        self.row(what, told, f"{found:.5g}", "right" if off <= tolerance else "**wrong**")

    def refused(self, what, run, *words):
        """With code 2 and these words."""
        is_refused = run.code == 2 and all(word in run.words for word in words)
        shown = first_line(run.words) if run.code else "done"
        self.row(what, "refused: " + ", ".join(f'"{word}"' for word in words), shown, "refused" if is_refused else "**wrong**")

    def alike(self, what, one, other):
        """Whether two runs left the same bits, as `solenoid diff` sees it."""
        done = subprocess.run([self.options.program or solenoid(), "diff", one.folder, other.folder], capture_output=True, text=True)
        told = [line for line in done.stdout.splitlines() if " is " in line or "different" in line]
        self.row(what, "the same bits", "the same" if done.returncode == 0 else first_line(done.stderr or "; ".join(told)), "right" if done.returncode == 0 else "**wrong**")

    @staticmethod
    def first_line(words):
        return first_line(words)

    def runs(self, what, run):
        if self.ended(run, what, "runs"):
            self.row(what, "runs", "done", "right")


def first_line(words):
    line = re.sub(r"\S*/out/trouble/\d+/", "", (words.splitlines() or ["silent"])[0]).replace("|", "\\|")
    return line if len(line) <= 160 else line[:157] + "..."


def speed(run):
    return run.summary()["ranges"]["speed"][1]


# ---- the reports, from the first


def creeping(b):
    for method in ("exact", "classical"):
        sets = [f"flow.method={method}"]
        steady = b.reference(given.CREEPING, *sets, "time={end=0.01, step=1e-4}", geo=given.CREEPING_GEO)
        run = b.run(given.CREEPING, *sets, geo=given.CREEPING_GEO)
        for column, form in (("force_x", "surface"), ("weak_force_x", "weak form")):
            b.number(f"Re = 0.005, {method}: force on a cylinder at 0.1 s, by the {form} [N/m]", run, lambda r: r.last("body", column),
                     steady.last("body", column), 0.005, source="steps of 1e-4 s")
    sets = ["fluid.viscosity=5000"]
    steady = b.reference(given.CREEPING, *sets, "time={end=2e-4, step=2e-6}", geo=given.CREEPING_GEO)
    b.number("Re = 1e-4: force on a cylinder at 0.1 s, by the surface [N/m]", b.run(given.CREEPING, *sets, geo=given.CREEPING_GEO),
             lambda r: r.last("body", "force_x"), steady.last("body", "force_x"), 0.005, source="steps of 2e-6 s")
    for viscosity in (1, 100, 1e4):
        sets = [f"fluid.viscosity={viscosity:g}"]
        steady = b.reference(given.CAVITY, *sets, f"time={{end={0.5 / viscosity}, step={5e-4 / viscosity}}}" if viscosity > 1 else "time={end=1, step=0.0005}")
        b.number(f"cavity, viscosity {viscosity:g}: largest speed in a cell at 1 s [m/s]", b.run(given.CAVITY, *sets), speed, speed(steady), 0.005,
                 source="small steps")
    text = given.channel("4*y*(1-y)", 1e4, 1, 300, 2, given.QUIET)
    small = b.reference(text, "time={end=2e-4, step=1e-6}")

    def across(run):
        return max(abs(v) for v in run.summary()["ranges"]["velocity_y"])
    b.number("parabola into a channel, viscosity 1e4: transverse speed at 1 s [m/s]", b.run(text), across, across(small), 0.02, absolute=True, source="small steps")


def closed_part_level(b):
    for method in ("exact", "classical"):
        sets = [f"flow.method={method}"]
        alone = b.reference(given.TWO_PARTS, *sets, geo=given.CAVITY_ALONE)
        for ranks in (1, 2, 4):
            run = b.run(given.TWO_PARTS + given.TWO_PARTS_CHANNEL, *sets, geo=given.BOTH_PARTS, ranks=ranks)
            b.number(f"{method}, {ranks} rank{'s' * (ranks > 1)}: force_y on the closed part [N/m]", run, lambda r: r.last("box", "force_y"), alone.last("box", "force_y"),
                     1e-4, absolute=True, source="that part alone")


def steady_scalar(b):
    long = b.reference(given.HEATED_FLOOR, "time={end=30}")
    b.number("Nusselt number where the run says steady", b.run(given.HEATED_FLOOR), lambda r: r.last("floor", "nusselt"), long.last("floor", "nusselt"), 0.01,
             source="at 30 s")


def wall_partly_inside(b):
    for method in ("exact", "classical"):
        run = b.run(given.PLATE, f"flow.method={method}", geo=given.PLATE_IN_WALLS)
        if run.code == 2:
            b.refused(f"{method}: plate in the group of walls", run, "lies inside the domain", "Plugin(Crack)")
        slit = b.reference(given.PLATE + given.sides(plate=given.WALL), f"flow.method={method}", geo=given.PLATE_SLIT)
        if run.code == 2:
            b.runs(f"{method}: the remedy, slit by Crack", slit)
        else:
            b.number(f"{method}: pressure at the inlet [Pa]", run, lambda r: r.last("inlet", "p"), slit.last("inlet", "p"), 1e-4, source="slit by Crack")


def conjugate_silent(b):
    b.refused("flow through the region \"solid\"", b.run(given.BLOCK + given.sides(chip=given.WALL), geo=given.BLOCK_WITH_SOLID), "regions")
    told = given.BLOCK + given.sides(interface=given.WALL)
    without = b.reference(told, geo=given.BLOCK_WITHOUT)
    b.number("kinetic energy with regions = [\"fluid\"]", b.run(told, 'fluid.regions=["fluid"]', geo=given.BLOCK_WITH_SOLID),
             lambda r: r.last("flow", "kinetic_energy"), without.last("flow", "kinetic_energy"), 0.01, source="mesh of the fluid alone")


def glued_boxes(b):
    b.refused("boxes face on face, meshed alike", b.run(given.GLUED, geo=given.GLUED_GEO), "mesh.glue")
    b.number("the remedy, mesh.glue=1e-6: heat through them [W]", b.run(given.GLUED, "mesh.glue=1e-6", geo=given.GLUED_GEO), lambda r: r.last("boundaries", "hot"), 125, 1e-6)
    finer = given.GLUED_GEO.replace("= 0.25;", "= 0.2;")
    b.refused("boxes face on face, meshed differently", b.run(given.GLUED, geo=finer), "BooleanFragments{ Volume{:}; Delete; }{ }")
    b.number("the remedy, BooleanFragments: heat through them [W]", b.run(given.GLUED, geo=given.JOINED_GEO), lambda r: r.last("boundaries", "hot"), 125, 1e-6)


def heat_pulses(b):
    pulse = given.heat(400, 1000, "(t > 500 && t < 520) ? 2e7 : 0", 4e6, 15)
    run = b.run(pulse)
    b.number("heat_pulse: temperature [K]", run, lambda r: r.last("middle", "temperature"), 400, 1e-4)
    b.number("heat_pulse: heat made [J/m^3]", run, lambda r: r.integral("boundaries", "source"), 4e8, 1e-6)
    b.number("heat_pulse, 20 s of every 60 for an hour [J/m^3]", b.run(pulse, "material.default.source=(t - 60*floor(t/60) < 20) ? 1e6 : 0", "time.end=3600"),
             lambda r: r.integral("boundaries", "source"), 1.2e9, 1e-6)
    wall = b.run(pulse, "material.default.source=0", 'boundary.xmin={type="temperature",value="(t>500 && t<520) ? 600 : 300"}', "time={end=1000}")
    small = b.reference(pulse, "material.default.source=0", 'boundary.xmin={type="temperature",value="(t>500 && t<520) ? 600 : 300"}', "time={end=1000,step=0.5}")

    def entered(run):
        rows = run.rows("boundaries")
        return sum((row["time"] - before) * max(row["xmin"], 0) for row, before in zip(rows, [0.0, *(r["time"] for r in rows)]))
    b.number("heat_pulse at a side: heat that enters [J/m]", wall, entered, entered(small), 0.05, source="steps of 0.5 s")
    missed = given.heat(500, 1000, "t - 100*floor(t/100) > 50 && t - 100*floor(t/100) < 51 ? 1 : 0")
    for sets in ([], ["time.step=0.5"], ["time.step=0.3"]):
        b.number(f"heat_pulse_missed, ten pulses{', ' + sets[0] if sets else ''}: temperature [K]", b.run(missed, *sets), lambda r: r.last("middle", "temperature"), 310, 1e-5)


def meshes(b):
    b.runs("no_groups: as init writes it", b.run("", geo=given.HOLED_PLATE_GEO, command="init"))
    b.refused("only_lines", b.run(given.LINES, geo=given.LINES_GEO), "lines", "Physical Surface")
    b.number("only_lines, the remedy: heat through a square [W/m]", b.run(given.LINES, geo=given.LINES_GEO + 'Physical Surface("plate") = {1};\n'),
             lambda r: r.last("boundaries", "hot"), 100, 1e-6)


def pulsating(b):
    shapes = (("sin(pi*t)^2", 10, 20), ("exp(-((t-10)/0.5)^2)", 0.5 * math.sqrt(math.pi), 20), ("(t > 5 && t < 5.5 ? 1 : 0)", 0.5, 20),
              ("abs(sin(2*pi*t))", 20 / math.pi, 10), ("(t - 2*floor(t/2) < 0.1 ? 1 : 0)", 1, 19))
    for method in ("exact", "classical"):
        for shape, volume, end in shapes:
            b.number(f"inflow as {shape.replace('|', '')}, {method}: volume that enters [m^2]", b.run(given.channel(f"6*y*(1-y)*{shape}", 0.05, end, 300, 2, given.QUIET), f"flow.method={method}"),
                     lambda r: r.integral("boundaries", "xmin"), volume, 0.01)
    swing = given.channel("6*y*(1-y)*sin(2*pi*t)", 0.01, 10, 300, 3, given.QUIET)
    b.number("inflow to and fro, ten periods: volume that goes either way [m^2]", b.run(swing),
             lambda r: sum((row["time"] - before) * abs(row["xmin"]) for row, before in zip(r.rows("boundaries"), [0.0, *(q["time"] for q in r.rows("boundaries"))])),
             20 / math.pi, 0.02)


def set_key_at_top(b):
    text = given.channel("1", 0.01, 0.05, 300, 1, given.QUIET)
    b.refused("--set viscosity=0.1", b.run(text, "viscosity=0.1"), "did you mean fluid.viscosity?")
    b.runs("the remedy, --set fluid.viscosity=0.1", b.run(text, "fluid.viscosity=0.1"))


def tools(b):
    for name, what in (("compare_openfoam_test", "compare_openfoam: times, pressures and refusals"), ("setup_test", "setup_beside_paraview: with and without, before and after")):
        words = [b.options.program or solenoid()] if name == "compare_openfoam_test" else []  # the other takes names of tests
        done = subprocess.run([ROOT / "tests" / "end_to_end" / name, *words], capture_output=True, text=True)
        count = re.search(r"Ran (\d+) test", done.stderr)
        b.row(f"{what} (`{name}`)", "its tests pass", f"{count[1] if count else 'no'} tests", "right" if done.returncode == 0 and count else "**wrong**")


def hangs(b):
    for ranks in (1, 2, 3, 4):
        b.runs(f"source_in_one_region, {ranks} rank{'s' * (ranks > 1)}", b.run(given.HEATER, geo=given.HEATER_GEO, ranks=ranks))
    force = given.channel("4*y*(1-y)", 0.01, 1, 8, 2, given.QUIET + '[[monitor]]\ntype = "force"\nname = "low"\nboundaries = ["ymin"]\n')
    for cells in (2, 8, 12):
        b.runs(f"rank_without_nodes, heat of {cells} cells aimed at on 4 ranks", b.run(given.heat(cells, 1), "time.steps=10", ranks=4))
        b.runs(f"rank_without_nodes, forces, {cells} cells on 4 ranks", b.run(force, f"mesh.box.cells={cells}", "time.steps=10", ranks=4))
    zero = given.heat(60, 1, boundaries=given.INSULATED_BOX.replace(given.INSULATED, 'type = "convection"\nh = 1\nT_inf = 0'), start=0)
    for ranks in (1, 2):
        b.number(f"zero heat, {ranks} rank{'s' * (ranks > 1)}: temperature [K]", b.run(zero, ranks=ranks), lambda r: r.last("middle", "temperature"), 0, 0, absolute=True)


def waves(b):
    step = {}
    for ranks in (1, 2, 3, 4):
        run = b.run(given.WAVE, "time={end=1}", ranks=ranks)
        step[ranks] = run
        b.number(f"wave_limit: step of the run's own choice on {ranks} rank{'s' * (ranks > 1)} [s]", run, lambda r: r.rows("wave")[1]["step_length"],
                 step[1].rows("wave")[1]["step_length"], 1e-9, source="on 1 rank")
    for length in (1e4, 1e6, 1e8):
        run = b.run(given.WAVE, "wave.time_scheme=trapezoidal", f"time={{end={20 * length},step={length}}}")
        b.number(f"trapezoidal rule, steps of {length:g} s: energy after 20 over the first", run, lambda r: r.last("wave", "energy") / r.rows("wave")[0]["energy"], 1, 1e-6)


def odd(b):
    for boundary in ("outflow", "convective"):
        run = b.run(given.channel("-4*y*(1-y)", 0.01, 0.1, 300, 2, given.QUIET), f'boundary.xmax={{type="{boundary}"}}')
        warned = run.code == 0 and "xmin" in run.words
        b.row(f"an inflow that leaves beside an open boundary, {boundary}", "a warning that names it", first_line(run.words), "right" if warned else "**wrong**")
    for convection in ("bounded", "central"):
        b.number(f"a scalar at rest, its wall cooled again, convection {convection}: largest value at 50 s", b.run(given.COOLED, f"scalar.T.convection={convection}"),
                 lambda r: r.summary()["ranges"]["T"][1], 0, 0.01, absolute=True)
    single = given.channel("6*y*(1-y)", 0.0025, 20, 300, 12, given.QUIET)
    b.runs("single precision, classical, a long channel", b.run(single, "flow.method=classical", "time.steps=20", options=["--precision", "single"]))
    run = b.run(single, "time.steps=1", environment={"OMP_NUM_THREADS": "999999999"})
    b.row("OMP_NUM_THREADS=999999999", "runs, or is refused by its name", first_line(run.words) if run.code else "done",
          "right" if run.code == 0 or "OMP_NUM_THREADS" in run.words else "**wrong**")


def flux_force(b):
    """Right of all walls: the fall of pressure times the height. Of the body: what the body force that gives the same flux does, and the gradient times its area."""
    run = b.run(given.FLUX, 'boundary.l={type="periodic", partner="r", flux=1.0}', geo=given.FLUX_GEO)
    if not b.ended(run, "an imposed flux past a cylinder", "runs"):
        return
    fall = -run.last("flow", "pressure_rise_l")
    same = b.reference(given.FLUX, 'boundary.l={type="periodic", partner="r"}', f"flow.body_force=[{fall / 2 / 3!r},0]", geo=given.FLUX_GEO)
    b.number("flux by the body force -grad p", same, lambda r: r.last("flow", "flux_l"), 1, 1e-6)
    for column, form in (("force_x", "surface"), ("weak_force_x", "weak form")):
        b.number(f"an imposed flux, force on all walls by the {form} [N/m]", run, lambda r: r.last("all", column), 2 * fall, 0.01, source="the fall of pressure times the height")
        area = (run.last("all", column) - same.last("all", column)) / (fall / 2)
        b.number(f"area by which forces by the {form} differ from those under the body force [m^2]", run, lambda _: area, math.pi * 0.09, 0.01, source="the cylinder's")
        b.number(f"force on the cylinder by the {form} [N/m]", run, lambda r: r.last("body", column), same.last("body", column) + area * fall / 2, 1e-6,
                 source="under the body force, and that area times the gradient")


def layered_viscosity(b):
    """Two parabolas with one stress at the interface."""
    for ratio in (0.1, 0.01):
        stress = (0.125 + 0.375 / ratio) / (0.5 + 0.5 / ratio)
        surface = 0.5 * stress - 0.125
        run = b.run(given.LAYERS, f'fluid.viscosity="y < 0.5 ? 1 : {ratio}"', geo=given.LAYERS_GEO)
        right = {"velocity at the interface": ("interface", "u", surface), "velocity at y = 0.75": ("upper", "u", surface + (0.25 * stress - 0.15625) / ratio),
                 "force on the floor by the surface": ("bottom", "force_x", stress), "force on the floor by the weak form": ("bottom", "weak_force_x", stress)}
        for what, (monitor, column, value) in right.items():
            b.number(f"layers of viscosity 1 and {ratio}: {what}", run, lambda r: r.last(monitor, column), value, 0.01)
    run = b.run(given.LAYERS, 'fluid.viscosity="y < 0.47 ? 1 : 0.01"', "time={end=0.01}", geo=given.LAYERS_GEO)
    b.row("layers whose interface runs through cells", "a warning", first_line(run.words), "right" if run.code == 0 and "jumps inside" in run.words else "**wrong**")


REPORTS = {"flux_force": flux_force, "layered_viscosity": layered_viscosity, **trouble_flows.REPORTS, **trouble_silent.REPORTS, **trouble_slip.REPORTS,
           "creeping": creeping, "closed_part_level": closed_part_level, "steady_scalar": steady_scalar, "wall_partly_inside": wall_partly_inside,
           "conjugate_silent": conjugate_silent, "glued_boxes": glued_boxes, "heat_pulse": heat_pulses, "meshes": meshes, "pulsating_inflow": pulsating,
           "set_key_at_top": set_key_at_top, "tools": tools, "hangs": hangs, "waves": waves, "odd": odd}


def pulse_rows(b):
    for pulse, (shape, formula) in itertools.product(pulses.PULSES, pulses.SHAPES.items()):
        if b.options.only not in ("", "pulses", pulse.datum):
            continue
        geo = pulses.GEOMETRIES.get(pulse.datum)
        if geo and not shutil.which("gmsh"):
            yield f"| {pulse.datum} | {shape} | {pulse.value:.5g} | | | left out: no gmsh |"
            continue
        run = b.run(pulse.text.replace("PULSE", formula), geo=geo)
        if run.code:
            computed, steps, verdict = f"code {run.code}: {first_line(run.words)}", "", "**wrong**"
        else:
            value = pulses.value_of(pulse, run.rows(pulse.file))
            is_right = abs(value - pulse.value) <= 0.01 * abs(pulse.value)
            computed, steps, verdict = f"{value:.5g}", run.summary()["steps"], "right" if is_right else "**wrong**"
            if is_right and run.words:
                verdict = "right, with a warning"
        b.bad += verdict.startswith("**")
        yield f"| {pulse.datum} | {shape} | {pulse.value:.5g} | {computed} | {steps} | {verdict} |"


def length_rows(b):
    for pulse, (shape, formula, part, tolerance) in itertools.product(pulses.PULSES, pulses.LENGTHS):
        if pulse.datum not in pulses.OF_ANY_LENGTH or b.options.only not in ("", "pulses", "lengths", pulse.datum):
            continue
        text, left = pulses.of_length(pulse, formula, part)
        run = b.run(text)
        if run.code:
            computed, steps, verdict = f"code {run.code}: {first_line(run.words)}", "", "**wrong**"
        else:
            error = abs(pulses.value_of(pulse, run.rows(pulse.file)) / left - 1)
            computed, steps = f"{error:.1e}", run.summary()["steps"]
            verdict = "**wrong**" if not error <= tolerance or run.words else "right"
        b.bad += verdict.startswith("**")
        yield f"| {pulse.datum} | {shape} | {part:g} | {computed} | {steps} | {verdict} |"


def trouble(options):
    """The chapter of the page, and the exit code. --only picks reports; "pulses" stands for all pulses, "lengths" for those of any length."""
    folder = options.folder or ROOT / "out" / "trouble"
    shutil.rmtree(folder, ignore_errors=True)
    bench, lines = Bench(options, folder), []
    for name, report in REPORTS.items():
        if re.search(options.only, name):
            bench.name = name
            try:
                report(bench)
            except FileNotFoundError as error:
                if error.filename != "gmsh":
                    raise
                bench.row("all that needs a mesh of Gmsh", "", "", "left out: no gmsh")
    by_datum = options.only in [p.datum for p in pulses.PULSES]
    lengths = []
    for rows, name, told in ((pulse_rows, "pulses", lines), (length_rows, "lengths", lengths)):
        if "pulses".startswith(options.only) or options.only == name or by_datum:
            for line in rows(bench):
                print(line, flush=True)
                told.append(line)
    print(f"{bench.bad} wrong")
    text = CHAPTER + "\n".join(bench.rows) + "\n" + PULSES + "\n".join(lines) + "\n" + LENGTHS + "\n".join(lengths) + f"\n\n{bench.bad} wrong\n"
    return text, 1 if bench.bad else 0
