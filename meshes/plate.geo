// The unit square of triangles, in metres. Groups: left, right, bottom, top; the region is plate.
//
//   gmsh -2 plate.geo -o plate.msh                                            the mesh beside this file
//   gmsh -2 plate.geo -setnumber size 0.01 -o plate_fine.msh                  a finer one
DefineConstant[ size = {0.05, Min 0.001, Max 0.5, Name "Mesh/size [m]"} ];

Point(1) = {0, 0, 0, size};
Point(2) = {1, 0, 0, size};
Point(3) = {1, 1, 0, size};
Point(4) = {0, 1, 0, size};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Physical Curve("left", 1) = {4};
Physical Curve("right", 2) = {2};
Physical Curve("bottom", 3) = {1};
Physical Curve("top", 4) = {3};
Physical Surface("plate", 5) = {1};
