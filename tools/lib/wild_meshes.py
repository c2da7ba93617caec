"""tools/validate wild-meshes: meshes as people save them. Each runs as `solenoid init` writes its case, or is refused with a remedy that
then works."""
import collections
import shutil
import subprocess

from program import ROOT, need, solenoid

# What gmsh makes: geo, arguments, file suffix, edit (a function of the file's bytes). What is expected: refusal (words of it, else it runs),
# remedy: another Mesh that runs, or options of the run.
Mesh = collections.namedtuple("Mesh", "geo arguments suffix edit", defaults=["-2 -format msh41", "msh", None])
Wild = collections.namedtuple("Wild", "name mesh refusal remedy", defaults=["", None])

OCC = 'SetFactory("OpenCASCADE");\n'
PLATE = OCC + "Rectangle(1) = {0, 0, 0, 2, 1};\nMeshSize{:} = 0.25;\n"
HOLE = OCC + ("Rectangle(1) = {0, 0, 0, 2, 1};\nDisk(2) = {1, 0.5, 0, 0.2};\nBooleanDifference{ Surface{1}; Delete; }{ Surface{2}; Delete; }\n"
              "MeshSize{:} = 0.2;\n")
TWO_PLATES = OCC + "Rectangle(1) = {0, 0, 0, 1, 1};\nRectangle(2) = {1, 0, 0, 1, 1};\nMeshSize{:} = 0.25;\n"
BOX = OCC + "Box(1) = {0, 0, 0, 1, 0.5, 0.5};\nMeshSize{:} = 0.25;\n"
TWO_BOXES = OCC + "Box(1) = {0, 0, 0, 1, 0.5, 0.5};\nBox(2) = {1, 0, 0, 1, 0.5, 0.5};\nMeshSize{:} = 0.25;\n"
JOIN_BOXES = "BooleanFragments{ Volume{:}; Delete; }{ }\nMeshSize{:} = 0.25;\n"
JOIN_PLATES = "BooleanFragments{ Surface{:}; Delete; }{ }\nMeshSize{:} = 0.25;\n"
NAMES = 'Physical Curve("left") = {4};\nPhysical Curve("right") = {2};\nPhysical Curve("rest") = {1, 3};\nPhysical Surface("plate") = {1};\n'
NUMBERS = "Physical Curve(11) = {4};\nPhysical Curve(12) = {2};\nPhysical Curve(13) = {1, 3};\nPhysical Surface(1) = {1};\n"
BOX_NAMES = 'Physical Surface("left") = {1};\nPhysical Surface("right") = {2};\nPhysical Surface("rest") = {3:6};\nPhysical Volume("box") = {1};\n'
SURFACE = 'Physical Surface("plate") = {1};\n'
LINES = ("Point(1) = {0, 0, 0, 0.25};\nPoint(2) = {1, 0, 0, 0.25};\nPoint(3) = {1, 1, 0, 0.25};\nPoint(4) = {0, 1, 0, 0.25};\n"
         "Line(1) = {1, 2};\nLine(2) = {2, 3};\nLine(3) = {3, 4};\nLine(4) = {4, 1};\nCurve Loop(1) = {1:4};\n")


def _without_dimensions(content):
    """Format 2.0: physical names without their dimension."""
    head, names, rest = content.partition(b"$PhysicalNames\n")
    body, end, rest = rest.partition(b"$EndPhysicalNames")
    lines = body.splitlines()
    body = b"\n".join([lines[0]] + [line.split(maxsplit=1)[1] for line in lines[1:]]) + b"\n"
    return head.replace(b"2.2 0 8", b"2 0 8") + names + body + end + rest


def _without_entities(content):
    head, _, rest = content.partition(b"$Entities")
    return head + rest.partition(b"$EndEntities\n")[2]


def _windows(content):
    return content.replace(b"\n", b"\r\n")


def wild_meshes():
    formats = {"4.1": "-format msh41", "4.1 binary": "-format msh41 -bin", "2.2": "-format msh22", "2.2 binary": "-format msh22 -bin"}
    for form, option in formats.items():
        yield Wild(f"plate without groups, {form}", Mesh(PLATE, f"-2 {option}"))
        yield Wild(f"plate with names, {form}", Mesh(PLATE + NAMES, f"-2 {option}"))
        yield Wild(f"box without groups, {form}", Mesh(BOX, f"-3 {option}"))
    yield Wild("plate with numbers, 4.1", Mesh(PLATE + NUMBERS))
    yield Wild("plate with numbers, 2.2", Mesh(PLATE + NUMBERS, "-2 -format msh22"))
    yield Wild("box with names", Mesh(BOX + BOX_NAMES, "-3 -format msh41 -bin"))
    yield Wild("surface named, sides not", Mesh(PLATE + SURFACE))
    yield Wild("surface named, sides not, all saved", Mesh(PLATE + SURFACE + "Mesh.SaveAll = 1;\n"))
    yield Wild("one side forgotten", Mesh(PLATE + NAMES.replace("{1, 3}", "{1}")))
    yield Wild("a curve in two groups", Mesh(PLATE + NAMES + 'Physical Curve("all") = {1:4};\n'))
    yield Wild("names with blanks and accents", Mesh(PLATE + NAMES.replace("left", "côté gauche").replace("right", "a.b")))
    yield Wild("hole, two loops", Mesh(HOLE))
    yield Wild("drawn from behind", Mesh(LINES + "Plane Surface(1) = {-1};\n"))
    yield Wild("a line of construction", Mesh(LINES + "Plane Surface(1) = {1};\nPoint(9) = {3, 3, 0, 0.25};\nLine(9) = {3, 9};\n"))
    yield Wild("a curve embedded", Mesh(LINES + "Plane Surface(1) = {1};\nPoint(8) = {0.3, 0.5, 0, 0.2};\nPoint(9) = {0.7, 0.5, 0, 0.2};\nLine(9) = {8, 9};\n"
                                        "Curve{9} In Surface{1};\n"))
    yield Wild("at z = 3", Mesh(PLATE.replace("{0, 0, 0, 2, 1}", "{0, 0, 3, 2, 1}")))
    yield Wild("two boxes made one", Mesh(TWO_BOXES + JOIN_BOXES, "-3 -format msh41"))
    yield Wild("two boxes made one, binary, all saved", Mesh(TWO_BOXES + JOIN_BOXES + 'Physical Volume("a") = {1};\nMesh.SaveAll = 1;\n', "-3 -format msh41 -bin"))
    yield Wild("two boxes apart", Mesh(TWO_BOXES.replace("{1, 0, 0", "{1.5, 0, 0"), "-3 -format msh41"))
    yield Wild("slit by a plugin", Mesh(LINES + "Plane Surface(1) = {1};\nPoint(8) = {0.3, 0.5, 0, 0.2};\nPoint(9) = {0.7, 0.5, 0, 0.2};\nLine(9) = {8, 9};\n"
                                        "Curve{9} In Surface{1};\nPhysical Curve(5) = {9};\nPhysical Curve(6) = {1:4};\nPhysical Surface(1) = {1};\nMesh 2;\n"
                                        "Plugin(Crack).Dimension = 1;\nPlugin(Crack).PhysicalGroup = 5;\nPlugin(Crack).Run;\n", "-save -format msh41"))
    yield Wild("partitioned", Mesh(BOX + BOX_NAMES, "-3 -part 3 -format msh41 -bin"))
    yield Wild("partitioned, without groups", Mesh(PLATE, "-2 -part 2 -format msh41"))
    yield Wild("nodes with parameters", Mesh(PLATE, "-2 -parametric -format msh41"))
    yield Wild("nodes numbered from a million", Mesh(PLATE + "Mesh.FirstNodeTag = 1000000;\nMesh.FirstElementTag = 5000;\n"))
    yield Wild("without $Entities", Mesh(PLATE, "-2 -format msh41", edit=_without_entities))
    yield Wild("lines of Windows", Mesh(PLATE + NAMES, "-2 -format msh22", edit=_windows))
    yield Wild("format 2.0, names without dimensions", Mesh(PLATE + NAMES, "-2 -format msh22", edit=_without_dimensions))

    yield Wild("lines alone", Mesh(LINES + "Plane Surface(1) = {1};\n" + NAMES.replace(SURFACE, "")), "Physical Surface",
               Mesh(LINES + "Plane Surface(1) = {1};\n" + NAMES))
    yield Wild("lines alone, all to be saved", Mesh(LINES + "Plane Surface(1) = {1};\n" + NAMES.replace(SURFACE, "")), "Mesh.SaveAll = 1",
               Mesh(LINES + "Plane Surface(1) = {1};\nMesh.SaveAll = 1;\n" + NAMES.replace(SURFACE, "")))
    yield Wild("surfaces of a box alone", Mesh(BOX + 'Physical Surface("skin") = {1:6};\n', "-3 -format msh41"), "Physical Volume",
               Mesh(BOX + 'Physical Surface("skin") = {1:6};\nPhysical Volume("box") = {1};\n', "-3 -format msh41"))
    yield Wild("meshed as curves", Mesh(PLATE, "-1 -format msh41"), "gmsh -2", Mesh(PLATE))
    yield Wild("second order", Mesh(PLATE, "-2 -order 2 -format msh41"), "Mesh.ElementOrder = 1", Mesh(PLATE + "Mesh.ElementOrder = 1;\n"))
    yield Wild("quadrilaterals", Mesh(PLATE + "Recombine Surface{1};\n"), "Mesh.RecombineAll = 0 and without Recombine", Mesh(PLATE + "Mesh.RecombineAll = 0;\n"))
    yield Wild("format 1", Mesh(PLATE, "-2 -format msh1"), "gmsh {mesh} -save -format msh41 -o new.msh", "gmsh")
    yield Wild("boxes face on face, glued", Mesh(TWO_BOXES, "-3 -format msh41"), "mesh.glue = LENGTH", ["--set", "mesh.glue=1e-6"])
    yield Wild("boxes face on face, kept apart", Mesh(TWO_BOXES, "-3 -format msh41 -bin"), "mesh.glue = 0", ["--set", "mesh.glue=0"])
    yield Wild("boxes face on face, meshed differently", Mesh(TWO_BOXES.replace("= 0.25", "= 0.2"), "-3 -format msh22"), "with different meshes", Mesh(TWO_BOXES + JOIN_BOXES, "-3 -format msh22"))
    yield Wild("plates face on face", Mesh(TWO_PLATES), "mesh.glue = LENGTH", ["--set", "mesh.glue=1e-6"])
    yield Wild("plates that touch, meshed differently", Mesh(TWO_PLATES + "Transfinite Curve{8} = 8;\n"), "with different meshes", Mesh(TWO_PLATES + JOIN_PLATES))
    yield Wild("plates that overlap", Mesh(TWO_PLATES.replace("{1, 0, 0, 1", "{0.6, 0.2, 0, 1")), "overlap",
               Mesh(TWO_PLATES.replace("{1, 0, 0, 1", "{0.6, 0.2, 0, 1") + JOIN_PLATES))
    yield Wild("a box in a box", Mesh(TWO_BOXES.replace("{1, 0, 0, 1, 0.5, 0.5}", "{0.3, 0.1, 0.1, 0.3, 0.3, 0.3}"), "-3 -format msh41"), "overlap",
               Mesh(TWO_BOXES.replace("{1, 0, 0, 1, 0.5, 0.5}", "{0.3, 0.1, 0.1, 0.3, 0.3, 0.3}") + JOIN_BOXES, "-3 -format msh41"))
    yield Wild("upright", Mesh(PLATE + "Rotate {{1, 0, 0}, {0, 0, 0}, Pi/2} { Surface{1}; }\n"), "in the plane z = constant", Mesh(PLATE))


QUICK = ("plate without groups, 2.2", "box without groups, 4.1 binary", "surface named, sides not", "partitioned", "a line of construction", "lines alone",
         "boxes face on face, glued", "plates that overlap")


class Trial:
    def __init__(self, wild, options, folder):
        self.wild, self.options, self.folder, self.notes = wild, options, folder, []

    def mesh(self, mesh, name):
        (self.folder / f"{name}.geo").write_text(mesh.geo)
        file = self.folder / f"{name}.{mesh.suffix}"
        subprocess.run([need("gmsh", "gmsh"), *mesh.arguments.split(), "-v", "1", f"{name}.geo", "-o", file.name], cwd=self.folder, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if mesh.edit:
            file.write_bytes(mesh.edit(file.read_bytes()))
        return file

    def solve(self, file, more=()):
        """Exit code and last words of `init` and `run`, the first of them that fails."""
        program, case = self.options.program or solenoid(), file.with_suffix(".toml")
        case.unlink(missing_ok=True)
        shutil.rmtree(self.folder / "out", ignore_errors=True)
        ranks = self.options.ranks or 1
        starter = [ROOT / "tools" / "mpirun", "-n", ranks] if ranks > 1 else []
        for command in ([program, "init", file.name, "-o", case.name], [*starter, program, "run", case.name, "-o", "out", "--device", "cpu", "--quiet", *more]):
            done = subprocess.run([str(word) for word in command], cwd=self.folder, capture_output=True, text=True, timeout=self.options.limit or 300)
            if done.returncode:
                break
        return done.returncode, done.stderr.strip()

    def judge(self):
        """What is wrong; nothing where all is well."""
        file = self.mesh(self.wild.mesh, "mesh")
        code, words = self.solve(file)
        refusal = self.wild.refusal.replace("{mesh}", file.name)
        if not refusal:
            return f"ended with code {code}: {words[-400:]}" if code else ""
        if code != 2 or refusal not in words:
            return f'"{refusal}" expected, but it ended with code {code}: {words[-400:]}'
        if self.wild.remedy == "gmsh":
            command = words[words.index("gmsh "):].split("\n")[0].replace(str(file), file.name)
            subprocess.run(command.split(), cwd=self.folder, check=True, stdout=subprocess.DEVNULL)
            code, words = self.solve(self.folder / "new.msh")
        elif isinstance(self.wild.remedy, list):
            code, words = self.solve(file, self.wild.remedy)
        else:
            code, words = self.solve(self.mesh(self.wild.remedy, "remedied"))
        return f"the remedy ends with code {code}: {words[-400:]}" if code else ""


def wild(options):
    """The exit code."""
    folder = options.folder or ROOT / "out" / "wild-meshes"
    shutil.rmtree(folder, ignore_errors=True)
    bad = run = refused = 0
    for number, mesh in enumerate(wild_meshes(), 1):
        if (options.quick and mesh.name not in QUICK) or options.only not in mesh.name:
            continue
        place = folder / f"{number:02d}"
        place.mkdir(parents=True)
        wrong = Trial(mesh, options, place).judge()
        run += not wrong and not mesh.refusal
        refused += not wrong and bool(mesh.refusal)
        bad += bool(wrong)
        print(f"{number:02d} {mesh.name}: {'**wrong** ' + wrong if wrong else 'refused, and its remedy runs' if mesh.refusal else 'runs'}", flush=True)
    print(f"{run} run as init writes their case, {refused} are refused with a remedy that runs, {bad} wrong")
    return 1 if bad else 0
