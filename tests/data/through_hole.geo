// The box 1 x 1 x 0.6 with a square hole along z right through it; groups xmin ... zmax, hole.
DefineConstant[ size = 0.2 ];
SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 1, 1, 0.6};
Box(2) = {0.35, 0.3, -1, 0.3, 0.4, 3};
BooleanDifference(3) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
MeshSize{:} = size;
e = 1e-3;
Physical Volume("block") = {3};
Physical Surface("xmin") = { Surface In BoundingBox{-e, -e, -e, e, 1 + e, 1} };
Physical Surface("xmax") = { Surface In BoundingBox{1 - e, -e, -e, 1 + e, 1 + e, 1} };
Physical Surface("ymin") = { Surface In BoundingBox{-e, -e, -e, 1 + e, e, 1} };
Physical Surface("ymax") = { Surface In BoundingBox{-e, 1 - e, -e, 1 + e, 1 + e, 1} };
Physical Surface("zmin") = { Surface In BoundingBox{-e, -e, -e, 1 + e, 1 + e, e} };
Physical Surface("zmax") = { Surface In BoundingBox{-e, -e, 0.6 - e, 1 + e, 1 + e, 1} };
Physical Surface("hole") = { Surface In BoundingBox{0.35 - e, 0.3 - e, -e, 0.65 + e, 0.7 + e, 1} };
