// The cube with sides of 6 round a sphere of radius 1/2, few tets; groups far, sphere.
DefineConstant[ size = 0.4 ];
SetFactory("OpenCASCADE");
Box(1) = {-3, -3, -3, 6, 6, 6};
Sphere(2) = {0, 0, 0, 0.5};
BooleanDifference(3) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
sphere() = Surface In BoundingBox{-0.6, -0.6, -0.6, 0.6, 0.6, 0.6};
far() = Surface{:};
far() -= sphere();
MeshSize{ PointsOf{ Surface{far()}; } } = 6 * size;
MeshSize{ PointsOf{ Surface{sphere()}; } } = size;
Physical Volume("fluid") = {3};
Physical Surface("sphere") = sphere();
Physical Surface("far") = far();
