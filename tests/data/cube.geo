// The unit cube in tets of size `size`; groups xmin, xmax, ymin, ymax, zmin, zmax.
DefineConstant[ size = 0.2 ];
SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 1, 1, 1};
MeshSize{:} = size;
Physical Volume("block") = {1};
Physical Surface("xmin") = {1};
Physical Surface("xmax") = {2};
Physical Surface("ymin") = {3};
Physical Surface("ymax") = {4};
Physical Surface("zmin") = {5};
Physical Surface("zmax") = {6};
