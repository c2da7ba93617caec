// The unit cube of tets, in metres. Groups: lid (y = 1), walls (the other five sides); the region is fluid.
//
//   gmsh -3 cavity3d.geo -format msh41 -bin -o cavity3d.msh                   the mesh beside this file: 12 600 tets
//   gmsh -3 cavity3d.geo -setnumber size 0.04 -format msh41 -bin -o cavity3d_fine.msh
//   gmsh -3 cavity3d.geo -setnumber size 0.09 -setnumber wall 0.035 -format msh41 -bin -o cavity3d_graded.msh
//
// size: in the middle; wall: at the sides, from which it grows over 0.3 m (as it stands the same everywhere).
DefineConstant[ size = {0.075, Min 0.005, Max 0.5, Name "Mesh/size [m]"} ];
DefineConstant[ wall = {0, Min 0, Max 0.5, Name "Mesh/size at the sides [m]"} ];

SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 1, 1, 1};
MeshSize{ PointsOf{ Volume{1}; } } = size;
lid() = Surface In BoundingBox{-0.01, 0.99, -0.01, 1.01, 1.01, 1.01};
all() = Boundary{ Volume{1}; };
all() -= lid();
Physical Surface("lid", 1) = {lid()};
Physical Surface("walls", 2) = {all()};
Physical Volume("fluid", 3) = {1};

If (wall > 0)
    Field[1] = MathEval;
    Field[1].F = Sprintf("%g + %g * Min(1, Min(Min(Min(x, 1 - x), Min(y, 1 - y)), Min(z, 1 - z)) / 0.3)", wall, size - wall);
    Background Field = 1;
    Mesh.MeshSizeFromPoints = 0;
    Mesh.MeshSizeExtendFromBoundary = 0;
EndIf
