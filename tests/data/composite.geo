// The unit cube of one material with two balls and a rod of others, the rod through one of the balls: regions matrix,
// balls and rod.
DefineConstant[ size = 0.1 ];
SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 1, 1, 1};
Sphere(2) = {0.3, 0.3, 0.35, 0.2};
Sphere(3) = {0.7, 0.65, 0.7, 0.2};
Cylinder(4) = {0.3, 0.3, 0, 0, 0, 1, 0.08};
BooleanFragments{ Volume{1}; Delete; }{ Volume{2:4}; Delete; }
MeshSize{:} = size;
e = 1e-6;
rod[] = Volume In BoundingBox{0.2, 0.2, -0.1, 0.4, 0.4, 1.1};
balls[] = Volume In BoundingBox{0.1 - e, 0.1 - e, 0.15 - e, 0.9 + e, 0.85 + e, 0.9 + e};
balls[] -= rod[];
matrix[] = Volume{:};
matrix[] -= rod[];
matrix[] -= balls[];
Physical Volume("matrix") = matrix[];
Physical Volume("balls") = balls[];
Physical Volume("rod") = rod[];
