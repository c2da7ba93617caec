// Two blocks of the unit cube that meet at x = 0.5, regions left and right; the meeting surface is the group inside.
DefineConstant[ size = 0.2 ];
SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 0.5, 1, 1};
Box(2) = {0.5, 0, 0, 0.5, 1, 1};
BooleanFragments{ Volume{1}; Delete; }{ Volume{2}; Delete; }
MeshSize{:} = size;
Physical Volume("left") = {1};
Physical Volume("right") = {2};
e = 1e-6;
Physical Surface("inside") = Surface In BoundingBox{0.5 - e, -e, -e, 0.5 + e, 1 + e, 1 + e};
Physical Surface("xmin") = Surface In BoundingBox{-e, -e, -e, e, 1 + e, 1 + e};
Physical Surface("xmax") = Surface In BoundingBox{1 - e, -e, -e, 1 + e, 1 + e, 1 + e};
Physical Surface("rest") = {Surface In BoundingBox{-e, -e, -e, 1 + e, e, 1 + e}, Surface In BoundingBox{-e, 1 - e, -e, 1 + e, 1 + e, 1 + e},
                            Surface In BoundingBox{-e, -e, -e, 1 + e, 1 + e, e}, Surface In BoundingBox{-e, -e, 1 - e, 1 + e, 1 + e, 1 + e}};
