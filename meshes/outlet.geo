// A stretch of a stream, -1 < x < 1, 0 < y < 1, in metres; with length 4 it goes on to x = 3, and up to x = 1 the mesh is the
// same. Groups: inlet, outlet (the far end), sides; the region is fluid.
//
//   gmsh -2 outlet.geo -o outlet.msh                                          the mesh beside this file
//   gmsh -2 outlet.geo -setnumber length 4 -o outlet_long.msh
DefineConstant[ size = {0.05, Min 0.002, Max 0.2, Name "Mesh/size [m]"} ];
DefineConstant[ length = {2, Min 2, Max 20, Name "Mesh/length, 2 or more [m]"} ];

Point(1) = {-1, 0, 0, size};
Point(2) = {1, 0, 0, size};
Point(3) = {1, 1, 0, size};
Point(4) = {-1, 1, 0, size};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1:4};
Plane Surface(1) = {1};
If (length > 2)
    Point(5) = {length - 1, 0, 0, size};
    Point(6) = {length - 1, 1, 0, size};
    Line(5) = {2, 5};
    Line(6) = {5, 6};
    Line(7) = {6, 3};
    Curve Loop(2) = {5, 6, 7, -2};
    Plane Surface(2) = {2};
    Physical Curve("outlet", 2) = {6};
    Physical Curve("sides", 3) = {1, 3, 5, 7};
    Physical Surface("fluid", 4) = {1, 2};
Else
    Physical Curve("outlet", 2) = {2};
    Physical Curve("sides", 3) = {1, 3};
    Physical Surface("fluid", 4) = {1};
EndIf
Physical Curve("inlet", 1) = {4};
