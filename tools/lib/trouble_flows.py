"""Reports of tools/validate trouble about the discretization of momentum: plates of no thickness, ducts between given pressures."""
import math

from trouble_inputs import QUIET, WALL, sides

# A plate of no thickness on a channel's floor, slit by Gmsh. SIZE: factor of all sizes.
FLOOR_GEO = """Mesh.MeshSizeFactor = SIZE;
Point(1) = {0, 0, 0, 0.1}; Point(2) = {1, 0, 0, 0.05}; Point(3) = {4, 0, 0, 0.1}; Point(4) = {4, 1, 0, 0.1}; Point(5) = {0, 1, 0, 0.1}; Point(6) = {1, 0.5, 0, 0.03};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 5}; Line(5) = {5, 1}; Line(6) = {2, 6};
Curve Loop(1) = {1, 2, 3, 4, 5}; Plane Surface(1) = {1}; Curve{6} In Surface{1};
Physical Surface("fluid") = {1}; Physical Curve("wall") = {1, 2, 4}; Physical Curve("out") = {3}; Physical Curve("in") = {5}; Physical Curve("plate") = {6};
"""
FLOOR = ('physics = "flow"\n[mesh]\nfile = "mesh.msh"\n[fluid]\nviscosity = 1\n[time]\nend = 0.6\n' + QUIET
         + sides(**{"in": 'type = "inflow"\nvelocity = ["6*y*(1-y)", 0]', "out": 'type = "outflow"'}, wall=WALL, plate=WALL)
         + '[[monitor]]\ntype = "force"\nname = "plate"\nboundaries = ["plate"]\n[[monitor]]\ntype = "force"\nname = "all"\nboundaries = ["plate", "wall"]\n'
         + '[[monitor]]\ntype = "energy"\nname = "energy"\n[[monitor]]\ntype = "line"\nname = "inlet"\nfrom = [0.01, 0]\nto = [0.01, 1]\npoints = 41\n')

# A plate of no thickness and length 1 along a stream, ten lengths each way. SIZE: factor of all sizes.
STREAM_GEO = """h = SIZE;
Point(1) = {-10, -10, 0}; Point(2) = {11, -10, 0}; Point(3) = {11, 10, 0}; Point(4) = {-10, 10, 0}; Point(5) = {0, 0, 0}; Point(6) = {1, 0, 0};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1}; Line(5) = {5, 6};
Curve Loop(1) = {1, 2, 3, 4}; Plane Surface(1) = {1}; Curve{5} In Surface{1};
Field[1] = Distance; Field[1].CurvesList = {5}; Field[1].NumPointsPerCurve = 2000;
Field[2] = Distance; Field[2].PointsList = {5, 6};
Field[3] = MathEval; Field[3].F = Sprintf("%g*(0.006 + 0.12*F1)", h);
Field[4] = MathEval; Field[4].F = Sprintf("%g*(0.002 + 0.12*F2)", h);
Field[5] = Box; Field[5].XMin = 1; Field[5].XMax = 3; Field[5].YMin = -0.1; Field[5].YMax = 0.1; Field[5].VIn = 0.03*h; Field[5].VOut = 10; Field[5].Thickness = 4;
Field[6] = Min; Field[6].FieldsList = {3, 4, 5}; Background Field = 6;
Mesh.MeshSizeExtendFromBoundary = 0; Mesh.MeshSizeFromPoints = 0; Mesh.MeshSizeMax = 0.8;
Physical Surface("fluid") = {1}; Physical Curve("in") = {4}; Physical Curve("out") = {2}; Physical Curve("side") = {1, 3}; Physical Curve("plate") = {5};
"""
STREAM = ('physics = "flow"\n[mesh]\nfile = "mesh.msh"\n[fluid]\nviscosity = 0.001\n[initial]\nvelocity = [1, 0]\n[time]\nend = 8\n' + QUIET
          + sides(**{"in": 'type = "inflow"\nvelocity = [1, 0]', "out": 'type = "outflow"'}, side='type = "symmetry"', plate=WALL)
          + '[[monitor]]\ntype = "force"\nname = "plate"\nboundaries = ["plate"]\nreference_speed = 1\nreference_area = 1\n')

# A plane channel of height 1 and length 6 between two pressures, 16 cells across; the mean speed is 1.
DUCT = ('physics = "flow"\n[mesh.box]\ncells = 3072\ndimension = 2\nhigh = [6, 1]\njitter = 0\n[flow]\nmethod = "classical"\n' + QUIET
        + sides(xmin='type = "pressure"\npressure = {rise}', xmax='type = "pressure"\npressure = 0', ymin=WALL, ymax=WALL)
        + '[fluid]\nviscosity = {viscosity}\n[time]\nend = {end}\n')
FULL = '[initial]\nvelocity = ["6*y*(1-y)", 0]\n'


def inlet(run):
    """The mean over the line."""
    last = [row["p"] for row in run.rows("inlet")]
    return (sum(last) - (last[0] + last[-1]) / 2) / (len(last) - 1)


def thin_plate(b):
    """The reference: P2-P1 finite elements on a slit mesh, two of which agree to 0.2 %."""
    for method, viscosity, force, pressure in (("exact", 1, 38.4, 90.2), ("classical", 1, 38.4, 90.2), ("exact", 0.02, 2.58, 3.56)):
        sets = [f"flow.method={method}", f"fluid.viscosity={viscosity}", f"time.end={0.6 if viscosity == 1 else 4}"]
        run, case = b.run(FLOOR, *sets, geo=FLOOR_GEO.replace("SIZE", "0.3" if viscosity == 1 else "0.5")), f"{method}, viscosity {viscosity}"
        for column, form in (("force_x", "surface"), ("weak_force_x", "weak form")):
            b.number(f"{case}: force on the plate by the {form} [N/m]", run, lambda r: r.last("plate", column), force, 0.04, source="finite elements")
        b.number(f"{case}: pressure at the inlet [Pa]", run, inlet, pressure, 0.04, source="finite elements")
        if viscosity == 1:
            b.number(f"{case}: coupling, share of viscous", run, lambda r: r.last("energy", "coupling") / r.last("energy", "viscous"), 0, 0.01, absolute=True)
            b.number(f"{case}: force on all walls [N/m]", run, lambda r: r.last("all", "force_x"), inlet(run), 0.02, source="the pressure at the inlet, what the balance of momentum leaves")


def plate_along_a_stream(b):
    right = 2 * (1.328 / math.sqrt(1000) + 2.668 * 1000 ** -0.875)  # Jobe & Burggraf, Proc. R. Soc. Lond. A 340 (1974)
    run = b.run(STREAM, geo=STREAM_GEO.replace("SIZE", "1.6"))
    b.number("Re = 1000: drag coefficient of both sides", run, lambda r: r.last("plate", "drag_coefficient"), right, 0.03, source="Jobe & Burggraf")


def duct_by_pressures(b):
    def text(re, end):
        return DUCT.replace("{viscosity}", repr(1 / re)).replace("{rise}", repr(72 / re)).replace("{end}", str(end))
    for re in (40, 400, 2000):
        run = b.run(text(re, 50) + FULL)
        b.number(f"channel, Re = {re}, from the exact flow: flux farthest from it in 50 H/U", run,
                 lambda r: max((row["xmin"] for row in r.rows("boundaries")), key=lambda q: abs(q - 1)), 1, 0.01)
    for re, end in ((40, 40), (400, 60)):
        series = 1 - sum(96 / (n * math.pi) ** 4 * math.exp(-(n * math.pi) ** 2 * end / re) for n in range(1, 200, 2))
        b.number(f"channel, Re = {re}, from rest: flux after {end} H/U", b.run(text(re, end)), lambda r: r.last("boundaries", "xmin"), series, 0.005, source="the start-up series")


REPORTS = {"thin_plate": thin_plate, "plate_along_a_stream": plate_along_a_stream, "duct_by_pressures": duct_by_pressures}
