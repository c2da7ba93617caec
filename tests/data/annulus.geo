// The ring 1/2 < r < 1 round the origin in triangles of size `size`; groups inner, outer.
DefineConstant[ size = 0.1 ];
SetFactory("OpenCASCADE");
Disk(1) = {0, 0, 0, 1};
Disk(2) = {0, 0, 0, 0.5};
BooleanDifference(3) = { Surface{1}; Delete; }{ Surface{2}; Delete; };
MeshSize{:} = size;
inner() = Curve In BoundingBox{-0.6, -0.6, -0.1, 0.6, 0.6, 0.1};
all() = Curve In BoundingBox{-1.1, -1.1, -0.1, 1.1, 1.1, 0.1};
outer() = all();
outer() -= inner();
Physical Surface("ring") = {3};
Physical Curve("inner") = inner();
Physical Curve("outer") = outer();
