// A channel 15 x 1 m of triangles that grow from its inlet to its outlet. Groups: inlet (x = 0), outlet (x = 15), walls; the
// region is fluid.
//
//   gmsh -2 channel.geo -o channel.msh                                        the mesh beside this file
//   gmsh -2 channel.geo -setnumber size 0.022 -setnumber outlet 0.05 -o channel_fine.msh
DefineConstant[ size = {0.066, Min 0.002, Max 0.2, Name "Mesh/size at the inlet [m]"} ];
DefineConstant[ outlet = {0.15, Min 0.002, Max 0.4, Name "Mesh/size at the outlet [m]"} ];

Point(1) = {0, 0, 0, size};
Point(2) = {15, 0, 0, outlet};
Point(3) = {15, 1, 0, outlet};
Point(4) = {0, 1, 0, size};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1:4};
Plane Surface(1) = {1};
Physical Curve("inlet", 1) = {4};
Physical Curve("outlet", 2) = {2};
Physical Curve("walls", 3) = {1, 3};
Physical Surface("fluid", 4) = {1};
