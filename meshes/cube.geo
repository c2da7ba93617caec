// The cube from -1 to 1 in every direction, of tets, in metres. One group, surface; the region is fluid.
//
//   gmsh -3 cube.geo -format msh41 -bin -o cube.msh                           the mesh beside this file: 4 500 tets
//   gmsh -3 cube.geo -setnumber size 0.1 -format msh41 -bin -o cube_fine.msh  8 times as many
DefineConstant[ size = {0.2, Min 0.01, Max 1, Name "Mesh/size [m]"} ];

SetFactory("OpenCASCADE");
Box(1) = {-1, -1, -1, 2, 2, 2};
MeshSize{ PointsOf{ Volume{1}; } } = size;
Physical Surface("surface", 1) = {Boundary{ Volume{1}; }};
Physical Volume("fluid", 2) = {1};
