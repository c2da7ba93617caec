// A square duct 2.5 x 0.41 x 0.41 m with a cylinder of diameter 0.1 m along z at x = 0.5, y = 0.2: the benchmark of Schaefer
// and Turek, 1996, 3D-1Z. Groups: inlet (x = 0), outlet (x = 2.5), walls, cylinder; the region is fluid.
//
//   gmsh -3 cylinder3d.geo -format msh41 -bin -o cylinder3d.msh               the mesh beside this file
//   gmsh -3 cylinder3d.geo -setnumber size 0.0058 -format msh41 -bin -o cylinder3d_fine.msh
//
// Round the cylinder, up to three radii, a shell of regular layers: fine across, six times coarser along the axis, and finer
// again where it meets the duct's walls. Its lower half is the upper one's mirror image: the lift, two thousandths of the
// drag, would otherwise be as much the mesh's as the duct's. Everything is a multiple of `size`, so that meshes of all sizes
// are alike.
DefineConstant[ size = {0.016, Min 0.001, Max 0.02, Name "Mesh/size at the cylinder [m]"} ];

H = 0.41; xc = 0.5; yc = 0.2; r = 0.05; R = 0.15;
around = Round(Pi * r / 2 / size);          // edges on a quarter of the cylinder,
out = Round(0.92 * (R - r) / size);         // from it to the outside of the shell, where they are 2.2 times as long,
along = 2 * Round(H / (6 * size));          // and along the axis
growth = 2.2 ^ (1 / out);

// The end planes, z = 0 and z = H. Points and curves of the cylinder have 10 to 13, of the shell's outside 20 to 23, at 0, 90,
// 180 and 270 degrees; curves between them 30 to 33.
For k In {0:1}
    z = k * H; b = 100 * k;
    Point(b + 1) = {0, 0, z};
    Point(b + 2) = {2.5, 0, z};
    Point(b + 3) = {2.5, H, z};
    Point(b + 4) = {0, H, z};
    Point(b + 5) = {xc, yc, z};
    Point(b + 10) = {xc + r, yc, z};
    Point(b + 11) = {xc, yc + r, z};
    Point(b + 12) = {xc - r, yc, z};
    Point(b + 13) = {xc, yc - r, z};
    Point(b + 20) = {xc + R, yc, z};
    Point(b + 21) = {xc, yc + R, z};
    Point(b + 22) = {xc - R, yc, z};
    Point(b + 23) = {xc, yc - R, z};
    For i In {0:3}
        Line(b + 1 + i) = {b + 1 + i, b + 1 + (i + 1) % 4};
        Line(b + 30 + i) = {b + 10 + i, b + 20 + i};
    EndFor
    // from the plane of the mirror up and down alike
    Circle(b + 10) = {b + 10, b + 5, b + 11};
    Circle(b + 11) = {b + 12, b + 5, b + 11};
    Circle(b + 12) = {b + 12, b + 5, b + 13};
    Circle(b + 13) = {b + 10, b + 5, b + 13};
    Circle(b + 20) = {b + 20, b + 5, b + 21};
    Circle(b + 21) = {b + 22, b + 5, b + 21};
    Circle(b + 22) = {b + 22, b + 5, b + 23};
    Circle(b + 23) = {b + 20, b + 5, b + 23};
    Curve Loop(b + 1) = {b + 1, b + 2, b + 3, b + 4};
    Curve Loop(b + 2) = {b + 20, -(b + 21), b + 22, -(b + 23)};
    Plane Surface(b + 1) = {b + 1, b + 2};
    Curve Loop(b + 10) = {b + 30, b + 20, -(b + 31), -(b + 10)};
    Curve Loop(b + 11) = {b + 32, b + 21, -(b + 31), -(b + 11)};
    Curve Loop(b + 12) = {b + 32, b + 22, -(b + 33), -(b + 12)};
    Curve Loop(b + 13) = {b + 30, b + 23, -(b + 33), -(b + 13)};
    For i In {0:3}
        Plane Surface(b + 10 + i) = {b + 10 + i};
    EndFor
    Transfinite Surface(b + 10) = {b + 10, b + 20, b + 21, b + 11};
    Transfinite Surface(b + 11) = {b + 12, b + 22, b + 21, b + 11};
    Transfinite Surface(b + 12) = {b + 12, b + 22, b + 23, b + 13};
    Transfinite Surface(b + 13) = {b + 10, b + 20, b + 23, b + 13};
    Transfinite Curve{b + 10:b + 13, b + 20:b + 23} = around + 1;
    Transfinite Curve{b + 30:b + 33} = out + 1 Using Progression growth;
EndFor

// From plane to plane. Quarter i of the shell reaches from the point `from` on the plane of the mirror to `to` off it.
For i In {0:3}
    Line(40 + i) = {1 + i, 101 + i};
    Line(50 + i) = {10 + i, 110 + i};
    Line(60 + i) = {20 + i, 120 + i};
EndFor
Transfinite Curve{50:53, 60:63} = along + 1 Using Bump 0.25;
For i In {0:3}
    j = (i + 1) % 4;
    Curve Loop(200 + i) = {1 + i, 40 + j, -(101 + i), -(40 + i)};
    Plane Surface(200 + i) = {200 + i};
    Curve Loop(230 + i) = {30 + i, 60 + i, -(130 + i), -(50 + i)};
    Plane Surface(230 + i) = {230 + i};
    Transfinite Surface(230 + i) = {10 + i, 20 + i, 120 + i, 110 + i};
EndFor
from() = {0, 2, 2, 0}; to() = {1, 1, 3, 3};
For i In {0:3}
    f = from(i); t = to(i);
    Curve Loop(210 + i) = {10 + i, 50 + t, -(110 + i), -(50 + f)};
    Ruled Surface(210 + i) = {210 + i};
    Transfinite Surface(210 + i) = {10 + f, 10 + t, 110 + t, 110 + f};
    Curve Loop(220 + i) = {20 + i, 60 + t, -(120 + i), -(60 + f)};
    Ruled Surface(220 + i) = {220 + i};
    Transfinite Surface(220 + i) = {20 + f, 20 + t, 120 + t, 120 + f};
    Surface Loop(10 + i) = {10 + i, 110 + i, 210 + i, 220 + i, 230 + f, 230 + t};
    Volume(10 + i) = {10 + i};
    Transfinite Volume(10 + i) = {10 + f, 20 + f, 20 + t, 10 + t, 110 + f, 120 + f, 120 + t, 110 + t};
EndFor
Surface Loop(1) = {1, 101, 200:203, 220:223};
Volume(1) = {1};

// Outside the shell, growing away from it; no coarser than 3 in the near wake, 8 anywhere.
Field[1] = MathEval;
Field[1].F = Sprintf("%g + 0.09 * Max(0, Sqrt((x - %g)^2 + (y - %g)^2) - %g)", 1.8 * size, xc, yc, R);
Field[2] = Box;
Field[2].XMin = xc; Field[2].XMax = 1.0;
Field[2].YMin = 0.1; Field[2].YMax = 0.31;
Field[2].ZMin = 0; Field[2].ZMax = H;
Field[2].VIn = 3 * size; Field[2].VOut = 10 * size;
Field[2].Thickness = 0.3;
Field[3] = MathEval;
Field[3].F = Sprintf("%g", 8 * size);
Field[4] = Min;
Field[4].FieldsList = {1, 2, 3};
Background Field = 4;
Mesh.MeshSizeFromPoints = 0;
Mesh.MeshSizeExtendFromBoundary = 0;

Physical Surface("inlet", 1) = {203};
Physical Surface("outlet", 2) = {201};
Physical Surface("walls", 3) = {1, 10:13, 101, 110:113, 200, 202};
Physical Surface("cylinder", 4) = {210:213};
Physical Volume("fluid", 5) = {1, 10:13};
