// The ring 1 < r < 2 round the origin in triangles of size `size`, with a circle of radius 3/2 along their edges; groups inner, outer.
DefineConstant[ size = 0.1 ];
SetFactory("OpenCASCADE");
Disk(1) = {0, 0, 0, 2};
Disk(2) = {0, 0, 0, 1.5};
Disk(3) = {0, 0, 0, 1};
BooleanFragments{ Surface{1}; Delete; }{ Surface{2, 3}; Delete; }
middle() = Surface In BoundingBox{-1.01, -1.01, -0.1, 1.01, 1.01, 0.1};
Recursive Delete { Surface{middle()}; }
MeshSize{:} = size;
inner() = Curve In BoundingBox{-1.01, -1.01, -0.1, 1.01, 1.01, 0.1};
between() = Curve In BoundingBox{-1.6, -1.6, -0.1, 1.6, 1.6, 0.1};
all() = Curve In BoundingBox{-2.1, -2.1, -0.1, 2.1, 2.1, 0.1};
outer() = all();
outer() -= between();
Physical Surface("ring") = Surface{:};
Physical Curve("inner") = inner();
Physical Curve("outer") = outer();
