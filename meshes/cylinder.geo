// A channel 2.2 x 0.41 m with a cylinder of diameter 0.1 m at (0.2, 0.2): the benchmark of Schaefer and Turek, 1996.
// Groups: inlet (x = 0), outlet (x = 2.2), walls, cylinder; the region is fluid.
//
//   gmsh -2 cylinder.geo -o cylinder.msh                                  the mesh beside this file
//   gmsh -2 cylinder.geo -setnumber size 0.0016 -o cylinder_fine.msh
//
// Round the cylinder, up to three radii, the lower half is the upper one's mirror image: the lift, two thousandths of the
// drag, would otherwise be as much the mesh's as the channel's. Gmsh may warn of missing ANN support as it copies.
DefineConstant[ size = {0.0033, Min 0.0005, Max 0.02, Name "Mesh/size at the cylinder [m]"} ];

Point(1) = {0, 0, 0};
Point(2) = {2.2, 0, 0};
Point(3) = {2.2, 0.41, 0};
Point(4) = {0, 0.41, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};

Point(5) = {0.2, 0.2, 0};
Point(10) = {0.25, 0.2, 0};     // the cylinder: back, top, front, bottom
Point(11) = {0.2, 0.25, 0};
Point(12) = {0.15, 0.2, 0};
Point(13) = {0.2, 0.15, 0};
Point(20) = {0.35, 0.2, 0};     // where the mirror ends
Point(21) = {0.2, 0.35, 0};
Point(22) = {0.05, 0.2, 0};
Point(23) = {0.2, 0.05, 0};
Circle(10) = {10, 5, 11};
Circle(11) = {11, 5, 12};
Circle(12) = {10, 5, 13};
Circle(13) = {13, 5, 12};
Circle(20) = {20, 5, 21};
Circle(21) = {21, 5, 22};
Circle(22) = {20, 5, 23};
Circle(23) = {23, 5, 22};
Line(30) = {10, 20};
Line(31) = {12, 22};

Curve Loop(1) = {1:4};
Curve Loop(2) = {20, 21, -23, -22};
Curve Loop(3) = {30, 20, 21, -31, -11, -10};
Curve Loop(4) = {30, 22, 23, -31, -13, -12};
Plane Surface(1) = {1, 2};
Plane Surface(2) = {3};
Plane Surface(3) = {4};
Transfinite Curve {10:13} = Round(Pi * 0.05 / size / 2) + 1;
Periodic Curve {12, 13, 22, 23} = {10, 11, 20, 21} Affine {1, 0, 0, 0, 0, -1, 0, 0.4, 0, 0, 1, 0, 0, 0, 0, 1};
Periodic Surface {3} = {2} Affine {1, 0, 0, 0, 0, -1, 0, 0.4, 0, 0, 1, 0, 0, 0, 0, 1};

// Everywhere a multiple of `size`, so that meshes of all sizes are alike: 1 at the cylinder, growing slowly where the
// boundary layer leaves it; 3.6 in the near wake, 6.7 farther down; 7.8 in the rest, up to the channel's walls.
Field[1] = MathEval;
Field[1].F = Sprintf("%g * (1 + 17 * (Sqrt((x - 0.2)^2 + (y - 0.2)^2) - 0.05))", size);
Field[2] = Box;
Field[2].XMin = 0.2; Field[2].XMax = 0.65;
Field[2].YMin = 0.1; Field[2].YMax = 0.31;
Field[2].VIn = 3.6 * size; Field[2].VOut = 7.8 * size;
Field[2].Thickness = 0.1;
Field[3] = Box;
Field[3].XMin = 0.2; Field[3].XMax = 2.2;
Field[3].YMin = 0.1; Field[3].YMax = 0.31;
Field[3].VIn = 6.7 * size; Field[3].VOut = 7.8 * size;
Field[3].Thickness = 0.1;
Field[4] = Min;
Field[4].FieldsList = {1, 2, 3};
Background Field = 4;
Mesh.MeshSizeFromPoints = 0;
Mesh.MeshSizeExtendFromBoundary = 0;

Physical Curve("inlet", 1) = {4};
Physical Curve("outlet", 2) = {2};
Physical Curve("walls", 3) = {1, 3};
Physical Curve("cylinder", 4) = {10:13};
Physical Surface("fluid", 5) = {1:3};
