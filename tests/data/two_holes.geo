// The rectangle 2 x 1 with two square holes; groups xmin, xmax, ymin, ymax, left, right.
DefineConstant[ size = 0.1 ];
SetFactory("OpenCASCADE");
Rectangle(1) = {0, 0, 0, 2, 1};
Rectangle(2) = {0.4, 0.3, 0, 0.3, 0.3};
Rectangle(3) = {1.2, 0.4, 0, 0.4, 0.3};
BooleanDifference(4) = { Surface{1}; Delete; }{ Surface{2, 3}; Delete; };
MeshSize{:} = size;
e = 1e-3;
Physical Surface("plate") = {4};
Physical Curve("xmin") = { Curve In BoundingBox{-e, -e, -e, e, 1 + e, e} };
Physical Curve("xmax") = { Curve In BoundingBox{2 - e, -e, -e, 2 + e, 1 + e, e} };
Physical Curve("ymin") = { Curve In BoundingBox{-e, -e, -e, 2 + e, e, e} };
Physical Curve("ymax") = { Curve In BoundingBox{-e, 1 - e, -e, 2 + e, 1 + e, e} };
Physical Curve("left") = { Curve In BoundingBox{0.4 - e, 0.3 - e, -e, 0.7 + e, 0.6 + e, e} };
Physical Curve("right") = { Curve In BoundingBox{1.2 - e, 0.4 - e, -e, 1.6 + e, 0.7 + e, e} };
