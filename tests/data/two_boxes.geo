// Two unit boxes side by side: two regions, the surface group between them, sides in two groups, groups without names.
//   gmsh -3 two_boxes.geo [-format msh22] [-bin] [-setnumber Mesh.SaveParametric 1] [-part 2 -part_ghosts] -o ...
SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 1, 1, 1};
Box(2) = {1, 0, 0, 1, 1, 1};
BooleanFragments{ Volume{1}; Delete; }{ Volume{2}; Delete; }
Mesh.MeshSizeMin = 1; Mesh.MeshSizeMax = 1;
west[] = Surface In BoundingBox{-0.1, -1, -1, 0.1, 2, 2};
east[] = Surface In BoundingBox{1.9, -1, -1, 2.1, 2, 2};
middle[] = Surface In BoundingBox{0.9, -1, -1, 1.1, 2, 2};
Physical Surface("west", 11) = west[];
Physical Surface("ends", 12) = {west[], east[]};
Physical Surface(13) = middle[];
Physical Volume("left part", 1) = {1};
Physical Volume(2) = {2};
