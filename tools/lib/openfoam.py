"""An icoFoam case that computes what a case of solenoid computes: dictionaries, fields, runs, results."""
import functools
import os
import pathlib
import re
import shutil
import subprocess

from foam_boundaries import GIVEN, Boundaries, constant
from program import Failed, Missing, call, timed

TABLES_IN_TIME = 200  # of a boundary value that changes; linear between them
STOP = "stop"         # a file of this name ends icoFoam after the step, with output


def environment():
    """The variables with which icoFoam finds its files: ours, or what the etc/bashrc that came with it makes of them."""
    tried = [dict(os.environ)]
    for bashrc in sorted(pathlib.Path("/").glob("usr/share/openfoam*/etc/bashrc")):
        out = subprocess.run(["bash", "-c", f". '{bashrc}' >/dev/null 2>&1; env -0"], capture_output=True, text=True).stdout
        tried.append(dict(word.split("=", 1) for word in out.split("\0") if "=" in word))
    for variables in tried:
        if program := shutil.which("icoFoam", path=variables.get("PATH", "")):
            if subprocess.run([program, "-help"], env=variables, capture_output=True).returncode == 0:
                return variables
    raise Missing("icoFoam is not there, or does not find its files: Debian's package openfoam brings it "
                  "(apt-get install openfoam); with another one source its etc/bashrc first")


def header(kind, name, note=""):
    note = f' note "{note}";' if note else ""
    return f"FoamFile {{ version 2.0; format ascii; class {kind}; object {name};{note} }}\n"


def _vector(v):
    return f"({v[0]:.17g} {v[1]:.17g} {v[2]:.17g})"


def _list(values, text):
    return f"{len(values)}\n(\n" + "\n".join(map(text, values)) + "\n)"


def _field(values, kind, text):
    if all(v == values[0] for v in values):
        return f"uniform {text(values[0])}"
    return f"nonuniform List<{kind}>\n" + _list(values, text) + "\n"


class FoamCase:
    """settings: step, end, tolerance (p), momentum_tolerance, ddt, correctors, nonorthogonal, steady_tolerance."""

    def __init__(self, folder, mesh, case, settings):
        self.folder, self.mesh, self.case, self.settings = pathlib.Path(folder), mesh, case, settings
        self.boundaries = Boundaries(case, mesh)

    @functools.cached_property
    def environment(self):
        return environment()

    # ---- files

    def write(self, initial):
        """initial: velocities of our cells."""
        shutil.rmtree(self.folder, ignore_errors=True)
        for name in ("0", "constant", "system"):
            (self.folder / name).mkdir(parents=True)
        self.mesh.write(self.folder / "constant" / "polyMesh", header)
        viscosity = constant(self.case, "fluid.viscosity", None)
        self._put("constant/transportProperties", f"nu [0 2 -1 0 0 0 0] {viscosity:.17g};\n")
        self._put("system/fvSchemes", f"""
ddtSchemes {{ default {self.settings['ddt']}; }}
gradSchemes {{ default Gauss linear; }}
divSchemes {{ default none; div(phi,U) Gauss linear; }}
laplacianSchemes {{ default Gauss linear corrected; }}
interpolationSchemes {{ default linear; }}
snGradSchemes {{ default corrected; }}
""")
        reference = "" if self.boundaries.is_open else " pRefCell 0; pRefValue 0;"
        s = self.settings
        self._put("system/fvSolution", f"""
solvers
{{
    p {{ solver GAMG; smoother GaussSeidel; tolerance {s['tolerance']:g}; relTol 0; }}
    pFinal {{ $p; }}
    U {{ solver smoothSolver; smoother symGaussSeidel; tolerance {s['momentum_tolerance']:g}; relTol 0; }}
}}
PISO {{ nCorrectors {s['correctors']}; nNonOrthogonalCorrectors {s['nonorthogonal']};{reference} }}
""")
        self._write_initial(initial)

    def _put(self, name, text):
        (self.folder / name).write_text(header("dictionary", pathlib.PurePath(name).name) + text)

    def _write_initial(self, initial):
        ordered = [None] * len(initial)
        for ours, value in enumerate(initial):
            ordered[self.mesh.cell_of[ours]] = value
        at_start = self.boundaries.velocity(0.0)
        u, p = {}, {}
        for name, b in self.boundaries.settings.items():
            kind = b["type"]
            p[name] = "type zeroGradient;"
            if kind in GIVEN:
                u[name] = f"type fixedValue; value {_field(at_start[name], 'vector', _vector)};"
                if self.boundaries.changes(name):
                    u[name] = ("type timeVaryingMappedFixedValue; mapMethod nearest; offset (0 0 0); setAverage off; "
                               f"value {_field(at_start[name], 'vector', _vector)};")
            elif kind == "symmetry":
                u[name] = "type slip;"
            else:
                # What enters: through an outflow from rest, as a pressure drives it along the normal.
                u[name] = ("type inletOutlet; inletValue uniform (0 0 0); value uniform (0 0 0);" if kind == "outflow" else
                           "type pressureInletOutletVelocity; value uniform (0 0 0);")
                p[name] = f"type fixedValue; value {_field(self.boundaries.pressure(name), 'scalar', '{:.17g}'.format)};"
        if self.mesh.dimension == 2:
            u["frontAndBack"] = p["frontAndBack"] = "type empty;"
        self._put_field("U", "volVectorField", "[0 1 -1 0 0 0 0]", _field(ordered, "vector", _vector), u)
        self._put_field("p", "volScalarField", "[0 2 -2 0 0 0 0]", "uniform 0", p)
        self._write_tables()

    def _put_field(self, name, kind, dimensions, inside, patches):
        lines = "\n".join(f'    "{patch}" {{ {text} }}' for patch, text in patches.items())
        (self.folder / "0" / name).write_text(
            header(kind, name) + f"dimensions {dimensions};\ninternalField {inside};\nboundaryField\n{{\n{lines}\n}}\n")

    # Boundary values that change in time, at times that the linear interpolation between them can live with.
    def _write_tables(self):
        changing = [name for name in self.boundaries.formulas if self.boundaries.changes(name)]
        if not changing:
            return
        end, step = self.settings["end"], self.settings["step"]
        count = max(1, min(TABLES_IN_TIME, round(end / step)))
        data = self.folder / "constant" / "boundaryData"
        for name in changing:
            (data / name).mkdir(parents=True)
            (data / name / "points").write_text(_list([side.centroid for side in self.mesh.patches[name]], _vector) + "\n")
        for i in range(count + 2):
            values = self.boundaries.velocity(i * end / count)
            for name in changing:
                at = data / name / f"{i * end / count:.12g}"
                at.mkdir()
                (at / "U").write_text(_list(values[name], _vector) + "\n")

    def write_control(self, end, interval):
        self._put("system/controlDict", f"""
application icoFoam; startFrom startTime; startTime 0; stopAt endTime; endTime {end:.17g}; deltaT {self.settings['step']:.17g};
writeControl runTime; writeInterval {interval:.17g}; purgeWrite 3; writeFormat ascii; writePrecision 14; writeCompression off;
timeFormat general; timePrecision 10; runTimeModifiable no;
functions {{ stop {{ type abort; libs ("libutilityFunctionObjects.so"); file "<case>/{STOP}"; action writeNow; }} }}
""")

    # ---- runs

    def _decompose(self, ranks):
        """The same cells on the same ranks as solenoid's run."""
        for old in self.folder.glob("processor*"):
            shutil.rmtree(old)
        if ranks == 1:
            return
        cells = [0] * len(self.mesh.cell_of)
        for ours, rank in enumerate(self.mesh.state.ranks):
            cells[self.mesh.cell_of[ours]] = rank
        (self.folder / "constant" / "cellDecomposition").write_text(
            header("labelList", "cellDecomposition") + _list(cells, str) + "\n")
        self._put("system/decomposeParDict",
                  f'numberOfSubdomains {ranks}; method manual; manualCoeffs {{ dataFile "cellDecomposition"; }}\n')
        self._call("decomposePar")

    def _call(self, *command):
        call(command, self.folder / f"{command[0]}.log", cwd=self.folder, env=self.environment)

    def run(self, ranks, mpirun, end=None):
        """Runs to the case's end or until steady; with `end` to that, leaving no results. The wall-clock times of the
        steps and the processor time of all [s]."""
        is_timing = end is not None
        steady = 0 if is_timing else self.settings["steady_tolerance"]
        end = end if is_timing else self.settings["end"]
        self._clear_times()
        interval = end / max(1, round(end / (200 * self.settings["step"]))) if steady else end
        self.write_control(end, interval)
        self._decompose(ranks)
        command = ["icoFoam"] if ranks == 1 else [mpirun, "-n", ranks, "icoFoam", "-parallel"]
        self._next_look, self.steady_at = interval, None

        def is_step(line):
            if found := re.match(r"Time = (\S+)", line):
                self._look(float(found.group(1)), interval, steady)
            return line.startswith("ExecutionTime")
        result = timed(command, self.folder / "icoFoam.log", is_step, cwd=self.folder,
                       env=self.environment | {k: v for k, v in os.environ.items() if k.startswith("OMPI_")})
        if ranks > 1 and not is_timing:
            self._call("reconstructPar", "-latestTime")
        return result

    def _clear_times(self):
        for pattern in ("processor*", "[1-9]*", "0.*", "postProcessing"):
            for old in self.folder.glob(pattern):
                shutil.rmtree(old)
        (self.folder / STOP).unlink(missing_ok=True)

    # Like solenoid's steady_tolerance: the largest change of a cell's velocity in a second over the largest speed.
    def _look(self, time, interval, steady):
        if not steady or time < self._next_look + 2 * self.settings["step"]:
            return
        self._next_look += interval
        change = speed = span = 0.0
        for folder in sorted(self.folder.glob("processor*")) or [self.folder]:
            times = _times(folder)
            if len(times) < 2 or float(times[-2].name) == 0:
                return
            span = float(times[-1].name) - float(times[-2].name)
            before, now = (read_field(at / "U") for at in times[-2:])
            change = max([change] + [max(map(lambda a, b: abs(a - b), v, w)) for v, w in zip(before, now)])
            speed = max([speed] + [max(map(abs, v)) for v in now])
        if change < steady * speed * span:
            self.steady_at = time
            (self.folder / STOP).touch()

    # ---- results, in our numbering

    def time(self):
        return float(_times(self.folder)[-1].name)

    def velocity(self):
        values = read_field(_times(self.folder)[-1] / "U", len(self.mesh.cells))
        return [values[i] for i in self.mesh.cell_of]

    def stream_function(self):
        """At our nodes, from the fluxes, 0 at the first node of the boundary; two dimensions [m^2/s]."""
        faces = self.mesh.foam_faces()
        counts = {name: len(sides) for name, sides in self.mesh.patches.items()}
        flux = read_surface_field(_times(self.folder)[-1] / "phi", counts)
        assert len(flux) == len(faces)
        ways = [[] for _ in self.mesh.state.nodes]
        for (nodes, _, _), through in zip(faces, flux):
            ways[nodes[0]].append((nodes[1], through / self.mesh.thickness))
            ways[nodes[1]].append((nodes[0], -through / self.mesh.thickness))
        start = next(iter(self.mesh.patches.values()))[0].nodes[0]
        values, queue = {start: 0.0}, [start]
        for node in queue:
            for other, difference in ways[node]:
                if other not in values:
                    values[other] = values[node] + difference
                    queue.append(other)
        return [values.get(i, 0.0) for i in range(len(ways))]

    def sample(self, lines):
        """{name: [(s, (u, v, w)), ...]} by OpenFOAM's own cellPoint interpolation; lines: {name: (from, to, points)}."""
        middle = 0.5 * self.mesh.thickness if self.mesh.dimension == 2 else None
        sets = ""
        for name, (start, end, points) in lines.items():
            a, b = ([*p, 0.0][:3] for p in (start, end))
            if middle is not None:
                a[2] = b[2] = middle
            sets += f"{name} {{ type uniform; axis distance; start {_vector(a)}; end {_vector(b)}; nPoints {points}; }}\n"
        self._put("system/sampleLines", "type sets; libs (\"libsampling.so\"); interpolationScheme cellPoint; setFormat raw; "
                                        f"fields (U); sets (\n{sets});\n")
        self._call("postProcess", "-func", "sampleLines", "-latestTime")
        result = {}
        for name in lines:
            found = sorted((self.folder / "postProcessing" / "sampleLines").glob(f"*/{name}_U.xy"))
            if not found:
                raise Failed(f"postProcess left no samples of {name}")
            rows = [list(map(float, line.split())) for line in found[-1].read_text().splitlines() if line.strip()]
            result[name] = [(row[0], tuple(row[1:4])) for row in rows]
        return result


def _times(folder):
    """Folders of the written times, ascending."""
    def value(path):
        try:
            return float(path.name)
        except ValueError:
            return None
    return sorted((path for path in folder.iterdir() if path.is_dir() and value(path) is not None), key=value)


def _numbers(text):
    if "(" in text:
        return [tuple(map(float, line.strip("()").split())) for line in text.split("\n") if line.startswith("(")]
    return list(map(float, text.split()))


def _values(text, count):
    """The first list or uniform value in the text."""
    if found := re.match(r"\s*uniform\s+(\([^)]*\)|\S+?);", text):
        word = found.group(1)
        one = tuple(map(float, word.strip("()").split())) if word[0] == "(" else float(word)
        return [one] * count
    if found := re.match(r"\s*nonuniform List<(\w+)>\s*(\d+)\s*(?:\{([^}]*)\}|\((.*?)\)\s*;)", text, re.S):
        kind, n, same, body = found.groups()
        if same is not None:
            return [float(same)] * int(n)
        return list(map(float, body.split()))
    if re.match(r"\s*nonuniform\s+(List<\w+>\s*)?0\s*(\(\s*\))?;", text):
        return []
    raise Failed("a field of OpenFOAM's cannot be read: " + text[:60])


def read_field(file, count=0):
    """The inside values of a volVectorField, as tuples."""
    text = file.read_text()
    inside = text[text.index("internalField") + len("internalField"):]
    if found := re.match(r"\s*nonuniform List<vector>\s*(\d+)\s*\(\n", inside):
        n = int(found.group(1))
        body = inside[found.end():inside.index("\n)", found.end())]
        values = _numbers(body)
        if len(values) != n:
            raise Failed(f"{file}: {len(values)} of {n} values")
        return values
    return _values(inside, count)


def read_surface_field(file, patches):
    """A surfaceScalarField on the inside faces, then on the patches ({name: number of faces}) in their order."""
    text = file.read_text()
    values = list(_values(text[text.index("internalField") + len("internalField"):], 0))
    rest = text[text.index("boundaryField"):]
    for name, count in patches.items():
        entry = rest[re.search(rf'\n\s*"?{re.escape(name)}"?\s*\{{', rest).end():]
        found = _values(re.search(r"\bvalue\b(.*)", entry, re.S).group(1), count)
        if len(found) != count:
            raise Failed(f"{file}: {len(found)} of {count} fluxes through {name}")
        values += found
    return values
