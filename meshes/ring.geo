// The ring between two circles round the origin, of triangles, in metres. Groups: inner (r = 0.5), outer (r = 1); the
// region is fluid.
//
//   gmsh -2 ring.geo -o ring.msh                                 the mesh beside this file: 2 300 triangles
//   gmsh -2 ring.geo -setnumber size 0.025 -o ring_fine.msh      about 9 000
DefineConstant[ size = {0.05, Min 0.001, Max 0.2, Name "Mesh/size [m]"} ];

Point(1) = {0, 0, 0, size};
For k In {0:3}
  Point(2 + k) = {0.5 * Cos(k * Pi / 2), 0.5 * Sin(k * Pi / 2), 0, size};
  Point(6 + k) = {Cos(k * Pi / 2), Sin(k * Pi / 2), 0, size};
EndFor
For k In {0:3}
  Circle(1 + k) = {2 + k, 1, 2 + (k + 1) % 4};
  Circle(5 + k) = {6 + k, 1, 6 + (k + 1) % 4};
EndFor
Curve Loop(1) = {5, 6, 7, 8};
Curve Loop(2) = {1, 2, 3, 4};
Plane Surface(1) = {1, 2};
Physical Curve("inner", 1) = {1, 2, 3, 4};
Physical Curve("outer", 2) = {5, 6, 7, 8};
Physical Surface("fluid", 3) = {1};
