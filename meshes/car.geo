// A car-like body (after S. R. Ahmed, 1984) 0.05 m over the ground: 1.044 x 0.389 x 0.288 m, its front rounded by 0.08 m, its
// back slanted by 25 degrees; in a box -1.5 < x < 4.5, -0.9 < y < 0.9, 0 < z < 1.4. The stream comes along +x. Groups: inlet,
// outlet, ground (z = 0), sides (and the top), car; the region is air.
//
//   gmsh -3 car.geo -format msh41 -bin -o car.msh                             the mesh beside this file
//   gmsh -3 car.geo -setnumber size 0.045 -format msh41 -bin -o car_fine.msh  25 000 tets
//
// size: at the body; twice that in the wake, 5.5 times far away.
DefineConstant[ size = {0.065, Min 0.005, Max 0.1, Name "Mesh/size at the body [m]"} ];

SetFactory("OpenCASCADE");
L = 1.044; W = 0.389; H = 0.288; gap = 0.05;
Box(1) = {0, -W/2, gap, L, W, H};
Fillet{1}{1, 2, 3, 4}{0.08}                 // the edges of the front

// the slant: 0.222 m long, cut off by a wedge
s = 0.222; a = 25 * Pi / 180;
Point(500) = {L - s*Cos(a), -W, gap + H};
Point(501) = {L + 0.1, -W, gap + H};
Point(502) = {L + 0.1, -W, gap + H - (s*Cos(a) + 0.1)*Tan(a)};
Line(500) = {500, 501};
Line(501) = {501, 502};
Line(502) = {502, 500};
Curve Loop(500) = {500:502};
Plane Surface(500) = {500};
wedge() = Extrude{0, 2*W, 0}{ Surface{500}; };
BooleanDifference{ Volume{1}; Delete; }{ Volume{wedge[1]}; Delete; }
body() = Volume{:};
Box(10) = {-1.5, -0.9, 0, 6, 1.8, 1.4};
BooleanDifference{ Volume{10}; Delete; }{ Volume{body()}; Delete; }

e = 1e-4;
inlet() = Surface In BoundingBox{-1.5-e, -0.9-e, -e, -1.5+e, 0.9+e, 1.4+e};
outlet() = Surface In BoundingBox{4.5-e, -0.9-e, -e, 4.5+e, 0.9+e, 1.4+e};
ground() = Surface In BoundingBox{-1.5-e, -0.9-e, -e, 4.5+e, 0.9+e, e};
left() = Surface In BoundingBox{-1.5-e, 0.9-e, -e, 4.5+e, 0.9+e, 1.4+e};
right() = Surface In BoundingBox{-1.5-e, -0.9-e, -e, 4.5+e, -0.9+e, 1.4+e};
top() = Surface In BoundingBox{-1.5-e, -0.9-e, 1.4-e, 4.5+e, 0.9+e, 1.4+e};
car() = Surface In BoundingBox{-e, -W/2-e, gap-e, L+e, W/2+e, gap+H+e};
Physical Surface("inlet", 1) = inlet();
Physical Surface("outlet", 2) = outlet();
Physical Surface("ground", 3) = ground();
Physical Surface("sides", 4) = {left(), right(), top()};
Physical Surface("car", 5) = car();
Physical Volume("air", 6) = Volume{:};

Field[1] = Distance;
Field[1].SurfacesList = {car()};
Field[1].NumPointsPerCurve = 60;
Field[2] = Threshold;
Field[2].InField = 1;
Field[2].SizeMin = size; Field[2].SizeMax = 5.556 * size;
Field[2].DistMin = 0.05; Field[2].DistMax = 0.9;
Field[3] = Box;
Field[3].XMin = 0.9; Field[3].XMax = 2.5;
Field[3].YMin = -0.3; Field[3].YMax = 0.3;
Field[3].ZMin = 0; Field[3].ZMax = 0.45;
Field[3].VIn = 2 * size; Field[3].VOut = 1; Field[3].Thickness = 1;
Field[4] = Min;
Field[4].FieldsList = {2, 3};
Background Field = 4;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
Mesh.MeshSizeFromCurvature = 0;
