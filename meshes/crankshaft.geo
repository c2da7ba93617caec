// A four-throw crankshaft: five main journals on the x axis, four crank pins at 0, 180, 180 and 0 degrees, eight webs
// with counterweights. All lengths in metres; the shaft reaches from x = 0 to x = 0.5.
//
//   gmsh -3 crankshaft.geo -o crankshaft.msh                                9 478 tets, the mesh beside this file
//   gmsh -3 crankshaft.geo -setnumber size 0.0042 -o crankshaft_fine.msh     176 017 tets, 38 557 nodes
//
// crankshaft.msh.gz beside it has 324 975 tets, fine at the inner edges; its nodes are numbered along the shaft and have six
// digits, so that it takes little room:
//
//   gmsh -3 crankshaft.geo -setnumber size 0.0105 -setnumber edge_size 0.0009 -o crankshaft_edges.msh
//
// Groups: front (the end face x = 0), rear (the end face x = 0.5), surface (all the rest); the volume is steel.
SetFactory("OpenCASCADE");

DefineConstant[
  size = {0.013, Min 0.002, Max 0.03, Name "Mesh/size [m]"}
  edge_size = {1, Min 0.0002, Max 1, Name "Mesh/size at the inner edges [m]"}  // where journals and pins meet webs
  growth = {0.28, Min 0.05, Max 2, Name "Mesh/growth of the size with the distance from them"}
  throw_radius = {0.040, Name "Shaft/throw [m]"}                 // from the shaft's axis to a pin's axis
  journal_radius = {0.028, Name "Shaft/journal radius [m]"}
  journal_length = {0.040, Name "Shaft/journal length [m]"}
  pin_radius = {0.024, Name "Shaft/pin radius [m]"}
  pin_length = {0.031, Name "Shaft/pin length [m]"}
  web_thickness = {0.022, Name "Shaft/web thickness [m]"}
  web_head = {0.034, Name "Shaft/web radius round the pin [m]"}
  web_waist = {0.037, Name "Shaft/web half width at the axis [m]"}
  weight_radius = {0.066, Name "Shaft/counterweight radius [m]"}
  weight_angle = {20, Name "Shaft/counterweight edge below the horizontal [degrees]"}
];

// A web from x to x + web_thickness, its pin in the direction z * up (up = +-1). Sets `web`, the volume's tag.
Macro Web
  a = weight_angle * Pi / 180;
  p = newp;
  Point(p) = {x, 0, up * throw_radius};                          // centre of the head
  Point(p + 1) = {x, 0, 0};                                      // centre of the counterweight
  Point(p + 2) = {x, web_head, up * throw_radius};
  Point(p + 3) = {x, 0, up * (throw_radius + web_head)};
  Point(p + 4) = {x, -web_head, up * throw_radius};
  Point(p + 5) = {x, -web_waist, 0};
  Point(p + 6) = {x, -weight_radius * Cos(a), -up * weight_radius * Sin(a)};
  Point(p + 7) = {x, 0, -up * weight_radius};
  Point(p + 8) = {x, weight_radius * Cos(a), -up * weight_radius * Sin(a)};
  Point(p + 9) = {x, web_waist, 0};
  l = newl;
  Circle(l) = {p + 2, p, p + 3};
  Circle(l + 1) = {p + 3, p, p + 4};
  Line(l + 2) = {p + 4, p + 5};
  Line(l + 3) = {p + 5, p + 6};
  Circle(l + 4) = {p + 6, p + 1, p + 7};
  Circle(l + 5) = {p + 7, p + 1, p + 8};
  Line(l + 6) = {p + 8, p + 9};
  Line(l + 7) = {p + 9, p + 2};
  outline = newll;
  Curve Loop(outline) = {l : l + 7};
  s = news;
  Plane Surface(s) = {outline};
  solid[] = Extrude {web_thickness, 0, 0} { Surface{s}; };
  web = solid[1];
  Delete { Point{p, p + 1}; }
Return

// Journals and pins reach half-way into their webs, so that the union has no coinciding faces.
overlap = web_thickness / 2;
directions[] = {1, -1, -1, 1};
parts[] = {};
x = 0;
For throw In {0 : 3}
  up = directions[throw];
  left = (throw == 0) ? 0 : overlap;                             // the first journal begins at the front
  v = newv;
  Cylinder(v) = {x - left, 0, 0, journal_length + left + overlap, 0, 0, journal_radius};
  parts[] += v;
  x += journal_length;
  Call Web;
  parts[] += web;
  x += web_thickness;
  v = newv;
  Cylinder(v) = {x - overlap, 0, up * throw_radius, pin_length + 2 * overlap, 0, 0, pin_radius};
  parts[] += v;
  x += pin_length;
  Call Web;
  parts[] += web;
  x += web_thickness;
EndFor
v = newv;
Cylinder(v) = {x - overlap, 0, 0, journal_length + overlap, 0, 0, journal_radius};
parts[] += v;
length = x + journal_length;

others[] = parts[];
others[] -= parts[0];
shaft[] = BooleanUnion{ Volume{parts[0]}; Delete; }{ Volume{others[]}; Delete; };

eps = 1e-4;
far = 1;
all[] = Boundary{ Volume{shaft[]}; };
front[] = Surface In BoundingBox{-eps, -far, -far, eps, far, far};
rear[] = Surface In BoundingBox{length - eps, -far, -far, length + eps, far, far};
rest[] = all[];
rest[] -= front[];
rest[] -= rear[];
Physical Surface("front", 1) = front[];
Physical Surface("rear", 2) = rear[];
Physical Surface("surface", 3) = rest[];
Physical Volume("steel", 4) = shaft[];

Mesh.MeshSizeMin = Min(size, edge_size);
Mesh.MeshSizeMax = size;
Mesh.MeshSizeFromPoints = 0;
Mesh.Optimize = 1;

// At the inner edges, of 270 degrees in the metal, gradients grow as (distance)^(-1/3).
If (edge_size < size)
  edges[] = {};
  x = 0;
  For throw In {0 : 3}
    For face In {0 : 3}
      x += (face == 0) ? journal_length : (face == 2) ? pin_length : web_thickness;
      is_pin = (face == 1 || face == 2);
      r = is_pin ? pin_radius : journal_radius;
      z = is_pin ? directions[throw] * throw_radius : 0;
      edges[] += Curve In BoundingBox{x - eps, -r - eps, z - r - eps, x + eps, r + eps, z + r + eps};
    EndFor
  EndFor
  Field[1] = Distance;
  Field[1].CurvesList = {edges[]};
  Field[1].NumPointsPerCurve = 400;
  Field[2] = MathEval;
  Field[2].F = Sprintf("Min(%g, %g + %g * F1)", size, edge_size, growth);
  Background Field = 2;
  Mesh.MeshSizeExtendFromBoundary = 0;
EndIf
