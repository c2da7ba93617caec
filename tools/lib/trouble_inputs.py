"""Case files and geometries of tools/validate trouble, as users' reports have them: written here, none is read from elsewhere."""

OCC = 'SetFactory("OpenCASCADE");\ne = 1e-5;\n'


def box(cells, width=1, dimension=2):
    return f"[mesh.box]\ncells = {cells}\ndimension = {dimension}\nhigh = [{width}, 1]\n"


def sides(**tables):
    """[boundary.NAME] tables from NAME="the rest of a table in one line"."""
    return "".join(f"[boundary.{name}]\n{text}\n" for name, text in tables.items())


WALL, OUTFLOW, INSULATED, FREE = ('type = "wall"', 'type = "outflow"', 'type = "insulated"', 'type = "free"')
QUIET = "[output]\nvtk = false\n"
INSULATED_BOX = sides(xmin=INSULATED, xmax=INSULATED, ymin=INSULATED, ymax=INSULATED)
POINT = '[[monitor]]\ntype = "point"\nname = "middle"\nat = [{}, 0.5]\n'


def inflow(u, more=""):
    return f'type = "inflow"\nvelocity = ["{u}", 0]\n{more}'


def channel(u, viscosity, end, cells=500, width=3, more=""):
    """A flow that enters at xmin and leaves at xmax."""
    return (f'physics = "flow"\n{box(cells, width)}[fluid]\nviscosity = {viscosity}\n[time]\nend = {end}\n'
            + sides(xmin=inflow(u), xmax=OUTFLOW, ymin=WALL, ymax=WALL) + more)


# A cylinder off the middle of a channel, with parabolas at both ends: Re = 0.5 over viscosity.
CREEPING_GEO = OCC + """Rectangle(1) = {-3, 0, 0, 6, 2};
Disk(2) = {0, 1.35, 0, 0.25};
BooleanDifference{ Surface{1}; Delete; }{ Surface{2}; Delete; }
in() = Curve In BoundingBox{-3-e, -e, -1, -3+e, 2+e, 1};
out() = Curve In BoundingBox{3-e, -e, -1, 3+e, 2+e, 1};
body() = Curve In BoundingBox{-0.3, 1.05, -1, 0.3, 1.65, 1};
wall() = Curve{:}; wall() -= in(); wall() -= out(); wall() -= body();
Physical Surface("fluid") = Surface{:};
Physical Curve("in") = in(); Physical Curve("out") = out();
Physical Curve("wall") = wall(); Physical Curve("body") = body();
MeshSize{:} = 0.15;
near() = PointsOf{ Curve{body()}; };
MeshSize{near()} = 0.04;
"""
CREEPING = ('physics = "flow"\n[mesh]\nfile = "mesh.msh"\n[fluid]\nviscosity = 100\n[time]\nend = 0.1\n'
            + sides(**{"in": inflow("y*(2-y)"), "out": inflow("y*(2-y)")}, wall=WALL, body=WALL)
            + '[[monitor]]\ntype = "force"\nname = "body"\nboundaries = ["body"]\n' + QUIET)
CAVITY = (f'physics = "flow"\n{box(300)}[fluid]\nviscosity = 100\n[time]\nend = 1\n'
          + sides(ymax=WALL + "\nvelocity = [1, 0]", ymin=WALL, xmin=WALL, xmax=WALL) + QUIET)

# A row of cylinders in a channel, its flux imposed between periodic sides.
FLUX_GEO = OCC + """Rectangle(1) = {-1, -1, 0, 2, 2};
Disk(2) = {0, 0, 0, 0.3};
BooleanDifference{ Surface{1}; Delete; }{ Surface{2}; Delete; }
l() = Curve In BoundingBox{-1-e, -1-e, -1, -1+e, 1+e, 1};
r() = Curve In BoundingBox{1-e, -1-e, -1, 1+e, 1+e, 1};
body() = Curve In BoundingBox{-0.4, -0.4, -1, 0.4, 0.4, 1};
wall() = Curve{:}; wall() -= l(); wall() -= r(); wall() -= body();
Periodic Curve {r()} = {l()} Translate {2, 0, 0};
Physical Surface("fluid") = Surface{:};
Physical Curve("l") = l(); Physical Curve("r") = r();
Physical Curve("wall") = wall(); Physical Curve("body") = body();
MeshSize{:} = 0.12;
near() = PointsOf{ Curve{body()}; };
MeshSize{near()} = 0.05;
"""
FLUX = ('physics = "flow"\n[mesh]\nfile = "mesh.msh"\n[fluid]\nviscosity = 0.1\ndensity = 3\n[time]\nend = 40\nsteady_tolerance = 1e-8\n'
        + sides(wall=WALL, body=WALL) + "".join(f'[[monitor]]\ntype = "force"\nname = "{name}"\nboundaries = {on}\n' for name, on in (("body", '["body"]'), ("all", '["body", "wall"]'))) + QUIET)

# Two layers between walls, driven by a force; the mesh follows their interface.
LAYERS_GEO = OCC + """Rectangle(1) = {0, 0, 0, 1, 0.5};
Rectangle(2) = {0, 0.5, 0, 1, 0.5};
Coherence;
l() = Curve In BoundingBox{-e, -e, -1, e, 1+e, 1};
r() = Curve In BoundingBox{1-e, -e, -1, 1+e, 1+e, 1};
bottom() = Curve In BoundingBox{-e, -e, -1, 1+e, e, 1};
top() = Curve In BoundingBox{-e, 1-e, -1, 1+e, 1+e, 1};
Periodic Curve {r()} = {l()} Translate {1, 0, 0};
Physical Surface("f") = Surface{:};
Physical Curve("l") = l(); Physical Curve("r") = r();
Physical Curve("bottom") = bottom(); Physical Curve("top") = top();
MeshSize{:} = 0.08;
"""
LAYERS = ('physics = "flow"\n[mesh]\nfile = "mesh.msh"\n[flow]\nbody_force = [1, 0]\n[time]\nend = 30\n'
          + sides(l='type = "periodic"\npartner = "r"', bottom=WALL, top=WALL)
          + "".join(f'[[monitor]]\ntype = "point"\nname = "{name}"\nat = [0.5, {y}]\n' for name, y in (("interface", 0.5), ("upper", 0.75)))
          + '[[monitor]]\ntype = "force"\nname = "bottom"\nboundaries = ["bottom"]\n' + QUIET)

# A channel and, above it, a cavity that shares no node with it; PART leaves one of them.
TWO_PARTS_GEO = OCC + """Rectangle(1) = {0, 0, 0, 2, 1};
Rectangle(2) = {0, 1.01, 0, 1, 1};
PART
MeshSize{:} = 0.08;
"""
CHANNEL_GROUPS = """in() = Curve In BoundingBox{-e, -e, -1, e, 1+e, 1};
out() = Curve In BoundingBox{2-e, -e, -1, 2+e, 1+e, 1};
low() = Curve In BoundingBox{-e, -e, -1, 2+e, e, 1};
high() = Curve In BoundingBox{-e, 1-e, -1, 2+e, 1+e, 1};
Physical Curve("in") = in(); Physical Curve("out") = out(); Physical Curve("wall") = {low(), high()};
"""
CAVITY_GROUPS = """lid() = Curve In BoundingBox{-e, 2.01-e, -1, 1+e, 2.01+e, 1};
rest() = Curve In BoundingBox{-e, 1.01-e, -1, 1+e, 2.01+e, 1}; rest() -= lid();
Physical Curve("lid") = lid(); Physical Curve("box") = rest();
"""
BOTH_PARTS = TWO_PARTS_GEO.replace("PART", 'Physical Surface("air") = Surface{:};\n' + CHANNEL_GROUPS + CAVITY_GROUPS)
CAVITY_ALONE = TWO_PARTS_GEO.replace("PART", 'Recursive Delete { Surface{1}; }\nPhysical Surface("air") = Surface{:};\n' + CAVITY_GROUPS)
TWO_PARTS = ('physics = "flow"\n[mesh]\nfile = "mesh.msh"\n[fluid]\nviscosity = 0.01\n[time]\nend = 1\nstep = 0.01\n'
             '[[monitor]]\ntype = "force"\nname = "box"\nboundaries = ["box"]\n' + QUIET
             + sides(lid=WALL + "\nvelocity = [1, 0]", box=WALL))
TWO_PARTS_CHANNEL = sides(**{"in": inflow("6*y*(1-y)"), "out": OUTFLOW}, wall=WALL)

HEATED_FLOOR = (f'physics = "flow"\n{box(1500, 4)}[fluid]\nviscosity = 0.01\n[scalar.T]\ndiffusivity = 0.001\n'
                '[initial]\nvelocity = ["6*y*(1-y)", 0]\n[time]\nend = 100\nsteady_tolerance = 1e-4\n'
                '[[monitor]]\ntype = "nusselt"\nname = "floor"\nboundary = "ymin"\n' + QUIET
                + sides(xmin=inflow("6*y*(1-y)", "T = 0"), xmax=OUTFLOW, ymin=WALL + "\nT = 1", ymax=WALL))

# A plate of no thickness on the floor of a channel; its curve 6 is in the group of the walls, or is slit.
PLATE_GEO = """Point(1) = {0, 0, 0, 0.1}; Point(2) = {1, 0, 0, 0.05}; Point(3) = {4, 0, 0, 0.1};
Point(4) = {4, 1, 0, 0.1}; Point(5) = {0, 1, 0, 0.1}; Point(6) = {1, 0.5, 0, 0.03};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 5}; Line(5) = {5, 1}; Line(6) = {2, 6};
Curve Loop(1) = {1:5}; Plane Surface(1) = {1};
Curve{6} In Surface{1};
Physical Surface("fluid", 10) = {1};
Physical Curve("wall", 1) = {1, 2, 4PLATE};
Physical Curve("out", 2) = {3};
Physical Curve("in", 3) = {5};
"""
PLATE_IN_WALLS = PLATE_GEO.replace("PLATE", ", 6")
PLATE_SLIT = PLATE_GEO.replace("PLATE", "") + """Physical Curve("plate", 4) = {6};
Physical Point("foot", 5) = {2};
Mesh 2;
Plugin(Crack).Dimension = 1;
Plugin(Crack).PhysicalGroup = 4;
Plugin(Crack).OpenBoundaryPhysicalGroup = 5;
Plugin(Crack).Run;
"""
PLATE = ('physics = "flow"\n[mesh]\nfile = "mesh.msh"\n[fluid]\nviscosity = 0.02\n[time]\nend = 4\n'
         '[[monitor]]\ntype = "point"\nname = "inlet"\nat = [0.01, 0.5]\n[output]\nvtk = false\n'
         + sides(**{"in": inflow("6*y*(1-y)"), "out": OUTFLOW}, wall=WALL))

# A channel with a block of another region on its floor, its faces in a group.
BLOCK_GEO = OCC + """Rectangle(1) = {0, 0, 0, 4, 1};
Rectangle(2) = {1, 0, 0, 1, 0.3};
BooleanFragments{ Surface{1, 2}; Delete; }{ }
solid() = Surface In BoundingBox{1-e, -e, -e, 2+e, 0.3+e, e};
fluid() = Surface{:}; fluid() -= solid();
top() = Curve In BoundingBox{1-e, 0.3-e, -e, 2+e, 0.3+e, e};
left() = Curve In BoundingBox{1-e, -e, -e, 1+e, 0.3+e, e};
right() = Curve In BoundingBox{2-e, -e, -e, 2+e, 0.3+e, e};
in() = Curve In BoundingBox{-e, -e, -e, e, 1+e, e};
out() = Curve In BoundingBox{4-e, -e, -e, 4+e, 1+e, e};
foot() = Curve In BoundingBox{1-e, -e, -e, 2+e, e, e};
wall() = CombinedBoundary{ Surface{:}; };
For k In {0:#wall()-1}
  wall(k) = Abs(wall(k));
EndFor
wall() -= in(); wall() -= out(); wall() -= foot();
Physical Surface("fluid") = fluid();
Physical Curve("interface") = {top(), left(), right()};
Physical Curve("inlet") = in(); Physical Curve("outlet") = out(); Physical Curve("walls") = wall();
MeshSize{:} = 0.08;
"""
BLOCK_WITH_SOLID = BLOCK_GEO + 'Physical Surface("solid") = solid();\nPhysical Curve("chip") = foot();\n'
BLOCK_WITHOUT = BLOCK_GEO  # the solid is in no group and is not saved
BLOCK = ('physics = "flow"\n[mesh]\nfile = "mesh.msh"\n[fluid]\nviscosity = 0.01\n[time]\nend = 0.2\n'
         + sides(inlet=inflow("1"), outlet=OUTFLOW, walls=WALL))

GLUED_GEO = OCC + """Box(1) = {0, 0, 0, 1, 0.5, 0.5};
Box(2) = {1, 0, 0, 1, 0.5, 0.5};
Physical Volume("a") = {1};
Physical Volume("b") = {2};
Physical Surface("hot") = {1};
Physical Surface("cold") = {8};
Physical Surface("skin") = {2:7, 9:12};
MeshSize{:} = 0.25;
"""
JOINED_GEO = OCC + """Box(1) = {0, 0, 0, 1, 0.5, 0.5};
Box(2) = {1, 0, 0, 1, 0.5, 0.5};
BooleanFragments{ Volume{:}; Delete; }{ }
Physical Volume("a") = {1};
Physical Volume("b") = {2};
hot() = Surface In BoundingBox{-e, -e, -e, e, 0.5+e, 0.5+e};
cold() = Surface In BoundingBox{2-e, -e, -e, 2+e, 0.5+e, 0.5+e};
skin() = CombinedBoundary{ Volume{:}; };
For k In {0:#skin()-1}
  skin(k) = Abs(skin(k));
EndFor
skin() -= hot(); skin() -= cold();
Physical Surface("hot") = hot(); Physical Surface("cold") = cold(); Physical Surface("skin") = skin();
MeshSize{:} = 0.2;
"""
GLUED = ('[mesh]\nfile = "mesh.msh"\n[material.default]\nconductivity = 10\n'
         + sides(hot='type = "temperature"\nvalue = 100', cold='type = "temperature"\nvalue = 0', skin=INSULATED))

HOLED_PLATE_GEO = OCC + """Rectangle(1) = {0, 0, 0, 2, 1};
Disk(2) = {1, 0.5, 0, 0.2};
BooleanDifference{ Surface{1}; Delete; }{ Surface{2}; Delete; }
MeshSize{:} = 0.1;
"""
LINES_GEO = """Point(1) = {0, 0, 0, 0.1}; Point(2) = {1, 0, 0, 0.1}; Point(3) = {1, 1, 0, 0.1}; Point(4) = {0, 1, 0, 0.1};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};
Curve Loop(1) = {1:4}; Plane Surface(1) = {1};
Physical Curve("hot") = {4}; Physical Curve("cold") = {2}; Physical Curve("rest") = {1, 3};
"""
LINES = ('[mesh]\nfile = "mesh.msh"\n[material.default]\nconductivity = 1\n'
         + sides(hot='type = "temperature"\nvalue = 100', cold='type = "temperature"\nvalue = 0', rest=INSULATED))


def heat(cells, end, source="0", capacity=1, conductivity=1, boundaries=INSULATED_BOX, start=300):
    return (box(cells) + f'[material.default]\nconductivity = {conductivity}\nheat_capacity = {capacity}\nsource = "{source}"\n'
            f"[initial]\ntemperature = {start}\n[time]\nend = {end}\n" + boundaries + POINT.format(0.5) + "[output]\nvtk = false\n")


# A strip whose source acts in one region, of which some ranks hold no node.
HEATER_GEO = OCC + """Rectangle(1) = {0, 0, 0, 0.1, 1};
Rectangle(2) = {0.1, 0, 0, 2, 1};
BooleanFragments{ Surface{1}; Delete; }{ Surface{2}; Delete; }
Physical Surface("heater") = {1}; Physical Surface("body") = {2};
left() = Curve In BoundingBox{-e, -e, -1, e, 1+e, 1};
rest() = CombinedBoundary{ Surface{:}; };
For k In {0:#rest()-1}
  rest(k) = Abs(rest(k));
EndFor
rest() -= left();
Physical Curve("left") = left(); Physical Curve("rest") = rest();
Mesh.MeshSizeMax = 0.1;
"""
HEATER = ('[mesh]\nfile = "mesh.msh"\n[material.heater]\nconductivity = 1\nheat_capacity = 1\nsource = "sin(t)"\n'
          "[material.body]\nconductivity = 1\nheat_capacity = 1\n[initial]\ntemperature = 0\n[time]\nend = 1\nsteps = 5\n"
          + sides(left='type = "temperature"\nvalue = 1', rest=INSULATED) + QUIET)

WAVE = (f'physics = "wave"\n{box(300)}[wave]\nspeed = 1\n[initial]\ndisplacement = "0.1*exp(-((x-0.35)^2 + (y-0.2)^2)/0.02)"\n'
        + sides(xmin='type = "fixed"', xmax=FREE, ymin=FREE, ymax=FREE) + QUIET)

# A scalar in a fluid at rest, whose wall is cooled again after a second: in 50 s nothing is left of it.
COOLED = (f'physics = "flow"\n{box(60)}[fluid]\nviscosity = 1\n[scalar.T]\ndiffusivity = 0.1\n[time]\nend = 50\n'
          + sides(xmin=WALL + '\nT = "t > 1 ? 0 : 1"', xmax=WALL + "\nT = 0", ymin=WALL, ymax=WALL) + QUIET)
