"""Reports of tools/validate trouble about curved walls along which a fluid slips."""
import math

from trouble_inputs import QUIET, WALL, sides

SLIP = 'type = "symmetry"'

# Between circles of 1/2 and 1 m, NA cells round a quarter and NR across.
RING_GEO = """For k In {0:3}
  Point(10 + k) = {Cos(k * Pi / 2) / 2, Sin(k * Pi / 2) / 2, 0}; Point(20 + k) = {Cos(k * Pi / 2), Sin(k * Pi / 2), 0};
EndFor
Point(1) = {0, 0, 0};
For k In {0:3}
  n = (k + 1) % 4;
  Circle(10 + k) = {10 + k, 1, 10 + n}; Circle(20 + k) = {20 + k, 1, 20 + n}; Line(30 + k) = {10 + k, 20 + k};
EndFor
For k In {0:3}
  n = (k + 1) % 4;
  Curve Loop(k + 1) = {30 + k, 20 + k, -(30 + n), -(10 + k)}; Plane Surface(k + 1) = {k + 1};
EndFor
Transfinite Curve{10:13, 20:23} = NA + 1; Transfinite Curve{30:33} = NR + 1; Transfinite Surface{1:4};
Physical Curve("inner") = {10:13}; Physical Curve("outer") = {20:23}; Physical Surface("fluid") = {1:4};
"""
TURNING = ["-2*y", "2*x"]
RING = ('physics = "flow"\n[mesh]\nfile = "mesh.msh"\n[fluid]\nviscosity = 0.05\n' + QUIET
        + sides(inner='type = "rotating_wall"\nomega = 2', outer=SLIP)
        + '[[monitor]]\ntype = "force"\nname = "inner"\nboundaries = ["inner"]\n'
        + '[[monitor]]\ntype = "line"\nname = "gap"\nfrom = [0.5, 0]\nto = [0.999, 0]\npoints = 6\n')
TORQUE = 4 * math.pi * 0.05 * 2 / 3  # of a wall at rest in place of the slip

# A sphere of 1 m in one of 5 m, a quarter of both. SIZE: of cells on the inner one; they grow with the distance from the middle to 1.5.
SPHERE_GEO = """SetFactory("OpenCASCADE");
Sphere(1) = {0, 0, 0, 5}; Sphere(2) = {0, 0, 0, 1}; Box(3) = {-6, 0, 0, 12, 6, 6};
BooleanDifference(4) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
BooleanIntersection(5) = { Volume{4}; Delete; }{ Volume{3}; Delete; };
e = 1e-3;
near() = Surface In BoundingBox{-1 - e, -e, -e, 1 + e, 1 + e, 1 + e};
y() = Surface In BoundingBox{-6, -e, -e, 6, e, 6}; z() = Surface In BoundingBox{-6, -e, -e, 6, 6, e};
far() = Boundary{ Volume{5}; }; far() -= near(); far() -= y(); far() -= z();
Physical Volume("fluid") = {5}; Physical Surface("sphere") = near(); Physical Surface("planes") = {y(), z()}; Physical Surface("far") = far();
Field[1] = MathEval; Field[1].F = Sprintf("%g*(x*x+y*y+z*z)^0.75", SIZE); Background Field = 1;
Mesh.MeshSizeExtendFromBoundary = 0; Mesh.MeshSizeFromPoints = 0; Mesh.MeshSizeFromCurvature = 0;
"""
R = "sqrt(x*x+y*y+z*z)"
# Hadamard and Rybczynski's field round a bubble, and Stokes' round a sphere, both of the unbounded fluid; 1 m/s.
BUBBLE = [f"1 - 1/(2*{R}) - x*x/(2*{R}^3)", f"-x*y/(2*{R}^3)", f"-x*z/(2*{R}^3)"]
STOKES = [f"1 - 3/(4*{R}) - 1/(4*{R}^3) - x*x*(3/(4*{R}^3) - 3/(4*{R}^5))", f"-x*y*(3/(4*{R}^3) - 3/(4*{R}^5))", f"-x*z*(3/(4*{R}^3) - 3/(4*{R}^5))"]
BUBBLE_SIZES = (0.17, 0.12, 0.085)
STOKES_SIZES = (0.12, 0.085, 0.055)  # the boundary layer of vorticity without slip is steeper


def sphere(wall, field):
    """Re = 0.01. Started from the field, to a time of diffusion over the gap."""
    velocity = f"velocity = {field!r}".replace("'", '"')
    return (f'physics = "flow"\n[mesh]\nfile = "mesh.msh"\n[fluid]\nviscosity = 200\n[initial]\n{velocity}\n[time]\nend = 0.1\n' + QUIET
            + sides(sphere=wall, planes=SLIP, far=f'type = "inflow"\n{velocity}')
            + '[[monitor]]\ntype = "force"\nname = "sphere"\nboundaries = ["sphere"]\n')


def slip_on_curve(b):
    """A fluid that turns as a rigid body with the inner wall: no torque. From rest it does so after a time of diffusion."""
    starts = {"from the exact flow": [f"initial.velocity={TURNING!r}".replace("'", '"'), "time.end=40"], "from rest": ["time.end=80"]}
    # The weak form has the convection's error in the moment of momentum, of second order: docs/numerics-measurements.md.
    for round_, speed, torque, weak, begins in ((48, 0.01, 3e-3, 4e-3, starts), (96, 0.003, 1e-3, 3e-3, ["from the exact flow"])):
        geo = RING_GEO.replace("NA", str(round_ // 4)).replace("NR", str(round_ // 12))
        for method in ("exact", "classical"):
            for start in begins:
                run, case = b.run(RING, f"flow.method={method}", *starts[start], geo=geo), f"ring of {round_} faces, {method}, {start}"
                b.number(f"{case}: speed along the wall [m/s]", run, lambda r: r.last("gap", "v"), 1.998, speed)
                b.number(f"{case}: torque, over that of a wall at rest", run, lambda r: r.last("inner", "moment_z") / TORQUE, 0, torque, absolute=True)
                b.number(f"{case}: the same by the weak form", run, lambda r: r.last("inner", "weak_moment_z") / TORQUE, 0, weak, absolute=True)


def slip_sphere(b):
    """The drag on a bubble, 4 pi mu a U, and on a sphere, 6 pi mu a U; a quarter of it."""
    for what, wall, field, factor, sizes in (("slip along a sphere", SLIP, BUBBLE, 4, BUBBLE_SIZES), ("no slip on a sphere", WALL, STOKES, 6, STOKES_SIZES)):
        right = factor * math.pi * 200 / 4
        for method in ("exact", "classical"):
            off = {"force_x": [], "weak_force_x": []}
            for size in sizes:
                run = b.run(sphere(wall, field), f"flow.method={method}", geo=SPHERE_GEO.replace("SIZE", str(size)))
                for column, form in (("force_x", "surface"), ("weak_force_x", "weak form")):
                    within = 0.01 if size == sizes[-1] else 0.06
                    b.number(f"{what}, {method}, cells of {size}: drag by the {form} [N]", run, lambda r: r.last("sphere", column), right, within)
                    if run.code == 0:
                        off[column].append(abs(run.last("sphere", column) / right - 1))
            errors = off["force_x"]
            if len(errors) == len(sizes):
                order = math.log(errors[0] / errors[-1]) / math.log(sizes[0] / sizes[-1])
                b.row(f"{what}, {method}: order of the error by the surface", "1 or more", f"{order:.2f}", "right" if order >= 1 else "**wrong**")


REPORTS = {"slip_on_curve": slip_on_curve, "slip_sphere": slip_sphere}
