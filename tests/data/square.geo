// The unit square in triangles of size `size`; groups xmin, xmax, ymin, ymax.
DefineConstant[ size = 0.2 ];
SetFactory("OpenCASCADE");
Rectangle(1) = {0, 0, 0, 1, 1};
MeshSize{:} = size;
Physical Surface("block") = {1};
Physical Curve("ymin") = {1};
Physical Curve("xmax") = {2};
Physical Curve("ymax") = {3};
Physical Curve("xmin") = {4};
