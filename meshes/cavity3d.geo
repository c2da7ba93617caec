// The unit cube of tets, in metres. Groups: lid (y = 1), walls (the other five sides); the region is fluid.
//
//   gmsh -3 cavity3d.geo -format msh41 -bin -o cavity3d.msh                   the mesh beside this file: 12 600 tets
//   gmsh -3 cavity3d.geo -setnumber size 0.04 -format msh41 -bin -o cavity3d_fine.msh
DefineConstant[ size = {0.075, Min 0.005, Max 0.5, Name "Mesh/size [m]"} ];

SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 1, 1, 1};
MeshSize{ PointsOf{ Volume{1}; } } = size;
lid() = Surface In BoundingBox{-0.01, 0.99, -0.01, 1.01, 1.01, 1.01};
all() = Boundary{ Volume{1}; };
all() -= lid();
Physical Surface("lid", 1) = {lid()};
Physical Surface("walls", 2) = {all()};
Physical Volume("fluid", 3) = {1};
