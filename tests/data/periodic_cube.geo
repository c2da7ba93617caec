// The unit cube in tets of size `size`; opposite sides match. Groups xmin, xmax, ymin, ymax, zmin, zmax.
DefineConstant[ size = 0.2 ];
SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 1, 1, 1};
MeshSize{:} = size;
Periodic Surface{2} = {1} Translate{1, 0, 0};
Periodic Surface{4} = {3} Translate{0, 1, 0};
Periodic Surface{6} = {5} Translate{0, 0, 1};
Physical Volume("block") = {1};
Physical Surface("xmin") = {1};
Physical Surface("xmax") = {2};
Physical Surface("ymin") = {3};
Physical Surface("ymax") = {4};
Physical Surface("zmin") = {5};
Physical Surface("zmax") = {6};
