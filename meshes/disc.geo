// The disc of radius 1 round the origin, of triangles, in metres. Group: rim; the region is membrane.
//
//   gmsh -2 disc.geo -o disc.msh                                 the mesh beside this file: 4 772 triangles
//   gmsh -2 disc.geo -setnumber size 0.1 -o disc_coarse.msh      about 740
DefineConstant[ size = {0.04, Min 0.001, Max 0.5, Name "Mesh/size [m]"} ];

Point(1) = {0, 0, 0, size};
For k In {0:3}
  Point(2 + k) = {Cos(k * Pi / 2), Sin(k * Pi / 2), 0, size};
EndFor
For k In {0:3}
  Circle(1 + k) = {2 + k, 1, 2 + (k + 1) % 4};
EndFor
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Physical Curve("rim", 1) = {1, 2, 3, 4};
Physical Surface("membrane", 2) = {1};
