// Air over a flat plate, from x = 0 to 1 m at y = 0, in a stream from x = -0.4 m on and up to y = 0.5 m. At the plate there are
// layers of triangles, up to y = 0.06 m: the recipe of docs/user-guide.md ("A boundary layer in Gmsh"). Groups: ahead (y = 0,
// x < 0), the plate in parts, lead, fore (from x = 0.1 on), middle (0.48 to 0.52) and aft, outlet (x = 1), stream; the region is
// fluid.
//
//   gmsh -2 boundary-layer.geo -o boundary-layer.msh                                      the mesh beside this file
//   gmsh -2 boundary-layer.geo -setnumber first 2e-5 -o boundary-layer_thin.msh           layers of an aspect of 1 000
DefineConstant[
  size = {0.02, Min 0.004, Max 0.04, Name "Mesh/length of the faces along the plate [m]"}
  first = {size / 100, Min 1e-6, Max 0.01, Name "Mesh/height of the first layer [m]"}
  ratio = {1.2, Min 1.05, Max 1.5, Name "Mesh/each layer over the one below"}
];

// Where the layers end, as parts of their whole height: (ratio^k - 1) / (ratio^n - 1).
n = Ceil(Log(1 + 0.06 * (ratio - 1) / first) / Log(ratio));
For k In {1:n}
  cells[k - 1] = 1;
  ends[k - 1] = (ratio^k - 1) / (ratio^n - 1);
EndFor

// The faces along the plate: short at its leading edge, where the flow changes most.
Point(1) = {-0.4, 0, 0};
Point(2) = {0, 0, 0};
Point(3) = {0.1, 0, 0};
Point(4) = {0.48, 0, 0};
Point(5) = {0.52, 0, 0};
Point(6) = {1, 0, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 5};
Line(5) = {5, 6};
Transfinite Curve {-1} = Round(0.36 / size) + 1 Using Progression 1.15;
Transfinite Curve {2} = Round(0.24 / size) + 1 Using Progression 1.15;
Transfinite Curve {3} = Round(0.38 / size) + 1;
Transfinite Curve {4} = Round(0.04 / size) + 1;
Transfinite Curve {5} = Round(0.48 / size) + 1;

// The layers. In 3D the same line with surfaces in place of curves gives layers of tets.
For k In {1:5}
  layer[] = Extrude {0, 0.06, 0} { Curve{k}; Layers{ cells[], ends[] }; };
  top[k - 1] = layer[0];
  strip[k - 1] = layer[1];
  If (k == 1)
    inflow = layer[3];
  EndIf
  If (k == 5)
    outflow = layer[2];
  EndIf
EndFor

// The stream above, its triangles as large as those where the layers end, and growing.
low[] = Boundary{ Curve{top[0]}; };
high[] = Boundary{ Curve{top[4]}; };
Point(101) = {-0.4, 0.5, 0};
Point(102) = {1, 0.5, 0};
Line(101) = {high[1], 102};
Line(102) = {102, 101};
Line(103) = {101, low[0]};
Curve Loop(1) = {top[], 101, 102, 103};
Plane Surface(1) = {1};
Field[1] = MathEval;
Field[1].F = Sprintf("%g + 0.15 * (y - 0.06)", size);
Background Field = 1;
Mesh.MeshSizeFromPoints = 0;
Mesh.MeshSizeExtendFromBoundary = 0;

Physical Curve("ahead", 1) = {1};
Physical Curve("lead", 2) = {2};
Physical Curve("fore", 3) = {3};
Physical Curve("middle", 4) = {4};
Physical Curve("aft", 5) = {5};
Physical Curve("outlet", 6) = {outflow, 101};
Physical Curve("stream", 7) = {inflow, 102, 103};
Physical Surface("fluid", 8) = {strip[], 1};
