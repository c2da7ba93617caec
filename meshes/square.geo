// The unit square of triangles, in metres, finer towards its sides, where boundary layers are. Groups: left, right, bottom,
// top; the region is fluid.
//
//   gmsh -2 square.geo -o square.msh                                          the mesh beside this file: 4 300 triangles
//   gmsh -2 square.geo -setnumber size 0.02 -o square_fine.msh                about 16 000
DefineConstant[ size = {0.05, Min 0.001, Max 0.5, Name "Mesh/size in the middle [m]"} ];

Point(1) = {0, 0, 0, 0.4 * size};
Point(2) = {1, 0, 0, 0.4 * size};
Point(3) = {1, 1, 0, 0.4 * size};
Point(4) = {0, 1, 0, 0.4 * size};
Point(5) = {0.5, 0.5, 0, size};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Point{5} In Surface{1};
Physical Curve("bottom", 1) = {1};
Physical Curve("right", 2) = {2};
Physical Curve("top", 3) = {3};
Physical Curve("left", 4) = {4};
Physical Surface("fluid", 5) = {1};
