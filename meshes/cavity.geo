// The unit square of triangles, in metres, finer towards its sides and corners, where the flow is steep. Groups: lid (y =
// 1), walls (the other three sides); the region is fluid.
//
//   gmsh -2 cavity.geo -o cavity.msh                                          the mesh beside this file: 4 300 triangles
//   gmsh -2 cavity.geo -setnumber size 0.02 -o cavity_fine.msh                about 16 000
DefineConstant[ size = {0.04, Min 0.001, Max 0.5, Name "Mesh/size in the middle [m]"} ];

Point(1) = {0, 0, 0, 0.5 * size};
Point(2) = {1, 0, 0, 0.5 * size};
Point(3) = {1, 1, 0, 0.5 * size};
Point(4) = {0, 1, 0, 0.5 * size};
Point(5) = {0.5, 0.5, 0, size};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Point{5} In Surface{1};
Physical Curve("lid", 1) = {3};
Physical Curve("walls", 2) = {1, 2, 4};
Physical Surface("fluid", 3) = {1};
