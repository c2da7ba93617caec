// A channel 2.2 x 0.41 m with a cylinder of diameter 0.1 m at (0.2, 0.2): the benchmark of Schaefer and Turek, 1996.
// Fine at the cylinder, coarser away from it. Groups: inlet (x = 0), outlet (x = 2.2), walls, cylinder; the region is
// fluid.
//
//   gmsh -2 cylinder.geo -o cylinder.msh                                  the mesh beside this file
//   gmsh -2 cylinder.geo -setnumber size 0.002 -o cylinder_fine.msh
DefineConstant[ size = {0.004, Min 0.0005, Max 0.02, Name "Mesh/size at the cylinder [m]"} ];

SetFactory("OpenCASCADE");
Rectangle(1) = {0, 0, 0, 2.2, 0.41};
Disk(2) = {0.2, 0.2, 0, 0.05};
BooleanDifference(3) = { Surface{1}; Delete; }{ Surface{2}; Delete; };

inlet() = Curve In BoundingBox {-1e-3, -1e-3, -1, 1e-3, 0.411, 1};
outlet() = Curve In BoundingBox {2.199, -1e-3, -1, 2.201, 0.411, 1};
lower() = Curve In BoundingBox {-1e-3, -1e-3, -1, 2.201, 1e-3, 1};
upper() = Curve In BoundingBox {-1e-3, 0.409, -1, 2.201, 0.411, 1};
cylinder() = Curve In BoundingBox {0.14, 0.14, -1, 0.26, 0.26, 1};

// From `size` at the cylinder by a tenth of the distance; in the wake and at the walls no coarser than a few times that.
Field[1] = MathEval;
Field[1].F = Sprintf("%g + 0.1 * (Sqrt((x - 0.2)^2 + (y - 0.2)^2) - 0.05)", size);
Field[2] = Box;
Field[2].XMin = 0.2; Field[2].XMax = 2.2;
Field[2].YMin = 0.1; Field[2].YMax = 0.31;
Field[2].VIn = 3.5 * size; Field[2].VOut = 5 * size;
Field[2].Thickness = 0.1;
Field[3] = Min;
Field[3].FieldsList = {1, 2};
Background Field = 3;
Mesh.MeshSizeFromPoints = 0;
Mesh.MeshSizeExtendFromBoundary = 0;

Physical Curve("inlet", 1) = {inlet()};
Physical Curve("outlet", 2) = {outlet()};
Physical Curve("walls", 3) = {lower(), upper()};
Physical Curve("cylinder", 4) = {cylinder()};
Physical Surface("fluid", 5) = {3};
