// A pipe of radius 1/2 along x, a quarter long, in tets of size `size`; its ends xmin and xmax match. Group: wall.
DefineConstant[ size = 0.1 ];
SetFactory("OpenCASCADE");
Cylinder(1) = {0, 0, 0, 0.5, 0, 0, 0.5};
MeshSize{:} = size;
low() = Surface In BoundingBox{-1e-3, -1, -1, 1e-3, 1, 1};
high() = Surface In BoundingBox{0.499, -1, -1, 0.501, 1, 1};
all() = Surface{:};
all() -= low();
all() -= high();
Periodic Surface {high()} = {low()} Translate {0.5, 0, 0};
Physical Volume("pipe") = {1};
Physical Surface("xmin") = low();
Physical Surface("xmax") = high();
Physical Surface("wall") = all();
