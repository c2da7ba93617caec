// A channel of height 1 m that opens to 2 m over a step at x = 0, its corner at (0, 1): from x = -5 m to x = 40 m. Fine at
// the step and behind it. Groups: inlet, outlet, walls; the region is fluid.
//
//   gmsh -2 backward-step.geo -o backward-step.msh                        the mesh beside this file
//   gmsh -2 backward-step.geo -setnumber size 0.04 -o backward-step_fine.msh
DefineConstant[ size = {0.13, Min 0.005, Max 0.3, Name "Mesh/size behind the step [m]"} ];

Point(1) = {-5, 1, 0, 2 * size};
Point(2) = {0, 1, 0, 0.4 * size};
Point(3) = {0, 0, 0, size};
Point(4) = {12, 0, 0, size};
Point(5) = {40, 0, 0, 3 * size};
Point(6) = {40, 2, 0, 3 * size};
Point(7) = {12, 2, 0, size};
Point(8) = {0, 2, 0, size};
Point(9) = {-5, 2, 0, 2 * size};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 5};
Line(5) = {5, 6};
Line(6) = {6, 7};
Line(7) = {7, 8};
Line(8) = {8, 9};
Line(9) = {9, 1};
Curve Loop(1) = {1:9};
Plane Surface(1) = {1};
Physical Curve("inlet", 1) = {9};
Physical Curve("outlet", 2) = {5};
Physical Curve("walls", 3) = {1:4, 6:8};
Physical Surface("fluid", 4) = {1};
