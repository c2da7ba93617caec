"""Coarse copies of the cases in cases/, and the rows of tools/compare-builds: each a copy, settings, ranks and a device."""
import json
import pathlib
import re
import shutil
import subprocess

from case_file import Case
from program import ROOT, Failed, make_mesh

MOST_CELLS = 6000  # of a mesh that is taken as it is
CELLS = 2000       # of a coarser one, about
STEPS = 10
ALL_RANKS = (1, 2, 4)
ALL_DEVICES = ("cpu", "compute", "fragment")

METHODS = {  # by physics
    "flow": {
        "exact, collocated": ["flow.method=exact", "flow.momentum=collocated"],
        "classical": ["flow.method=classical"],
        "exact, rotational": ["flow.method=exact", "flow.momentum=rotational"],
        "exact, thesis": ["flow.method=exact", "flow.momentum=thesis"],
    },
    "wave": {
        "leapfrog": [],
        "trapezoidal": ["wave.time_scheme=trapezoidal", "time.step=0.05"],
    },
}
SOLVERS = {"heat": ["temperature"], "flow": ["stream_function", "pressure", "momentum", "scalar"], "wave": ["displacement"],
           "poisson": ["U"], "boussinesq": ["psi"]}

# Their rows have every method also on several ranks and on the other devices.
THOROUGH = ("cavity", "ethier-steinman")

# Beyond methods: case, name, the method that it builds on, settings.
SPECIAL = [
    ("cavity", "central", "exact, collocated", ["flow.convection=central"]),
    ("cavity", "upwind", "exact, collocated", ["flow.convection=upwind"]),
    ("cavity", "upwind", "exact, thesis", ["flow.convection=upwind"]),
    ("cavity", "no jump penalty", "exact, collocated", ["flow.jump_penalty=0"]),
    ("cavity", "midpoint", "exact, collocated", ["flow.time_scheme=midpoint", "time.courant=2"]),
    ("cavity", "Jacobi", "exact, collocated", ["solver.stream_function.preconditioner=jacobi"]),
    ("cavity", "multigrid for momentum", "exact, collocated", ["solver.momentum.preconditioner=multigrid"]),
    ("cavity", "energy budget", "exact, collocated", ['monitor=[{type="energy", name="energy"}]']),
    ("cavity", "body force", "classical", ['flow.body_force=["y", "sin(t)"]', "fluid.density=2"]),
    ("cavity3d", "blended", "exact, collocated", ["flow.convection=blended"]),
    ("cavity3d", "midpoint", "exact, collocated", ["flow.time_scheme=midpoint", "time.courant=2"]),
    ("channel", "pressure boundary", "classical", ["boundary.outlet.type=pressure", "boundary.outlet.pressure=0"]),
    ("cylinder", "energy budget", "exact, collocated", ['monitor=[{type="energy", name="energy"}]']),
    ("cylinder", "blended", "classical", ["flow.convection=blended"]),
    ("cylinder", "corrections", "classical", ["flow.non_orthogonal_corrections=2"]),
    ("dye", "central dye", "exact, collocated", ["scalar.dye.convection=central"]),
    ("dye", "blended, upwind dye", "classical", ["flow.convection=blended", "scalar.dye.convection=upwind"]),
    ("ethier-steinman", "upwind", "classical", ["flow.convection=upwind"]),
    ("ethier-steinman", "midpoint", "classical", ["flow.time_scheme=midpoint"]),
    ("natural-convection", "midpoint", "exact, collocated", ["flow.time_scheme=midpoint"]),
    ("taylor-green-periodic", "imposed flux", "exact, collocated", ["boundary.xmin.flux=1"]),
    ("taylor-green-periodic", "imposed flux", "exact, rotational", ["boundary.xmin.flux=1"]),
    ("taylor-green-periodic", "explicit diffusion", "exact, rotational", ["flow.diffusion=explicit"]),
    ("taylor-green-periodic3d", "midpoint", "exact, collocated", ["flow.time_scheme=midpoint"]),
    ("crankshaft", "Jacobi", None, ["solver.temperature.preconditioner=jacobi"]),
    ("quench", "multigrid", None, ["solver.temperature.preconditioner=multigrid"]),
    ("quench", "fixed step", None, ["time.step=0.5"]),
]

# Those whose results are stored: case, method, ranks. Their meshes are in the tree or made by the program, for Gmsh makes
# others from version to version.
STORED = [("box", None, 1), ("quench", None, 1), ("outlet", "exact, collocated", 1), ("car", "classical", 1),
          ("taylor-couette", "exact, rotational", 1), ("natural-convection", "exact, collocated", 2)]


class Row:
    def __init__(self, case, method, special="", settings=(), ranks=1, device="cpu", precision="double"):
        """`case`: a Case; `method`: one of its physics' METHODS, None where it has none."""
        self.case, self.method, self.ranks, self.device, self.precision = case, method, ranks, device, precision
        self.settings = [*METHODS.get(physics(case), {}).get(method, []), *settings]
        self.variant = ", ".join(word for word in (method or physics(case), special) if word)
        if precision != "double":
            self.variant += f", {precision}"

    @property
    def name(self):
        return f"{self.case.name}: {self.variant}, {self.ranks} rank{'s' if self.ranks > 1 else ''}, {self.device}"

    @property
    def file_name(self):
        return re.sub(r"[^\w.-]+", "-", self.name)

    def overrides(self, meshes, options):
        """--set of the coarse copy; `meshes` is a Meshes, options.solver_tolerance and options.overrides are the
        user's."""
        result = ["picture=[]", *meshes.coarse(self.case)]
        if self.case.get("time"):
            result.append(f"time.steps={STEPS}")
        if options.solver_tolerance is not None:
            result += [f"solver.{name}.tolerance={options.solver_tolerance!r}" for name in SOLVERS.get(physics(self.case), []) if self.method != "leapfrog"]
        return [*result, *self.settings, *options.overrides]


def physics(case):
    return case.get("physics", "heat")


class Meshes:
    """Of the coarse copies; made by gmsh once and kept in a folder."""

    def __init__(self, program, folder, as_they_are=False):
        """`program` counts cells. as_they_are: no mesh file is replaced."""
        self.program, self.folder, self.as_they_are, self._found = program, folder, as_they_are, {}

    def coarse(self, case):
        """The --set words that a coarse copy takes."""
        if box := case.get("mesh.box"):
            return [f"mesh.box.cells={CELLS}"] if box["cells"] > CELLS else []
        if nodes := case.get("grid.nodes"):
            part = (CELLS / (nodes[0] * nodes[1])) ** 0.5
            return [f"grid.nodes={[max(2, round(part * n)) for n in nodes]}"] if part < 1 else []
        file = (case.folder / case.get("mesh.file")).resolve()
        if file not in self._found:
            self._found[file] = [] if self.as_they_are else self._coarser(file)
        return self._found[file]

    def _coarser(self, file):
        if file.suffix == ".gz" and file.with_suffix("").exists():  # a coarse one lies beside it
            plain = file.with_suffix("")
            return self._coarser(plain) or [f"mesh.file={plain}"]
        found = subprocess.run([self.program, "mesh", "info", file, "--json"], capture_output=True, text=True)
        if found.returncode:
            raise Failed(f"{self.program} cannot read {file}: {found.stderr.strip()}")
        info, source = json.loads(found.stdout), ROOT / "meshes" / file.with_suffix(".geo").name
        if info["cells"] <= MOST_CELLS or not source.exists() or not shutil.which("gmsh"):
            return []
        size = float(re.search(r"\bsize\s*=\s*\{\s*([\d.eE+-]+)", source.read_text())[1])
        size *= (info["cells"] / CELLS) ** (1 / info["dimension"])
        return [f"mesh.file={make_mesh({'geometry': source.name, 'size': float(f'{size:.2g}')}, self.folder)}"]


def all_cases():
    return [Case(file, [], ROOT) for file in sorted((ROOT / "cases").glob("*/*.toml")) if file.name != "validate.toml"]


def chosen_cases(words):
    """Names of cases, of their folders (all cases there), or files; all where there are no words."""
    cases = all_cases()
    if not words:
        return cases
    chosen = []
    for word in words:
        found = [case for case in cases if word in (case.name, case.folder.name)]
        chosen += found or [Case(pathlib.Path(word), [], ROOT)]
    return chosen


def methods(case):
    return list(METHODS.get(physics(case), [None]))


def _special(cases):
    return [Row(case, method, special, settings) for case in cases for name, special, method, settings in SPECIAL
            if name == case.name]


def every_row(cases):
    """Each case with each method, on all numbers of ranks and all devices, in double; and what is special."""
    return [Row(case, method, ranks=ranks, device=device) for case in cases for method in methods(case)
            for device in ALL_DEVICES for ranks in ALL_RANKS] + _special(cases) + _precisions(cases)


def covering_rows(cases):
    """Each method on 1 rank of the processor; the first, of thorough cases all, on 2 and 4 ranks and on the other devices; and
    what is special."""
    places = [(1, "cpu"), (2, "cpu"), (4, "cpu"), (1, "compute"), (1, "fragment")]
    rows = []
    for case in cases:
        for i, method in enumerate(methods(case)):
            everywhere = i == 0 or case.name in THOROUGH
            rows += [Row(case, method, ranks=ranks, device=device) for ranks, device in (places if everywhere else places[:1])]
    return rows + _special(cases) + _precisions(cases)


def _precisions(cases):
    return [Row(case, methods(case)[0], precision=precision) for case in cases if case.name in ("cavity", "cavity3d", "quench")
            for precision in ("single", "mixed")]


def stored_rows():
    cases = {case.name: case for case in all_cases()}
    return [Row(cases[name], method, ranks=ranks) for name, method, ranks in STORED]
