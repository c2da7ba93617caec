// A ball of radius 0.5 m in a cube of 4 m, with layers of tets round the ball: the recipe of docs/user-guide.md ("A boundary
// layer in Gmsh"). Groups: ball, far; the region is fluid.
//
//   gmsh -3 ball.geo -o ball.msh                                                          25 000 tets
//   gmsh -3 ball.geo -setnumber first 0.001 -setnumber size 0.05 -o ball_thin.msh
DefineConstant[
  size = {0.1, Min 0.02, Max 0.2, Name "Mesh/length of the edges on the ball [m]"}
  first = {0.005, Min 1e-5, Max 0.05, Name "Mesh/height of the first layer [m]"}
  ratio = {1.3, Min 1.05, Max 1.5, Name "Mesh/each layer over the one below"}
];

// Where the layers end, as distances along the normals, which point into this ball; together they are 0.1 m high.
n = Ceil(Log(1 + 0.1 * (ratio - 1) / first) / Log(ratio));
For k In {1:n}
  cells[k - 1] = 1;
  ends[k - 1] = -first * (ratio^k - 1) / (ratio - 1);
EndFor

// The ball, by two arcs from pole to pole that turn.
Point(1) = {0, 0, 0};
Point(2) = {0, 0, -0.5, size};
Point(3) = {0.5, 0, 0, size};
Point(4) = {0, 0, 0.5, size};
Circle(1) = {2, 1, 3};
Circle(2) = {3, 1, 4};
arcs[] = {1, 2};
For k In {1:4}
  turned[] = Extrude { {0, 0, 1}, {0, 0, 0}, Pi / 2 } { Curve{arcs[]}; };
  arcs[] = {turned[0], turned[3]};
  ball[] += {turned[1], turned[4]};
EndFor

// The layers: of each triangle of curves the top, the volume and three sides.
layer[] = Extrude { Surface{ball[]}; Layers{ cells[], ends[] }; Using Index[0]; };
For k In {0:#ball[] - 1}
  tops[] += {layer[5 * k]};
  layers[] += {layer[5 * k + 1]};
EndFor

// The rest, between the tops of the layers and the cube.
Point(101) = {-2, -2, -2, 0.8};
Point(102) = {2, -2, -2, 0.8};
Point(103) = {2, 2, -2, 0.8};
Point(104) = {-2, 2, -2, 0.8};
Line(101) = {101, 102};
Line(102) = {102, 103};
Line(103) = {103, 104};
Line(104) = {104, 101};
Curve Loop(101) = {101:104};
Plane Surface(101) = {101};
cube[] = Extrude {0, 0, 4} { Surface{101}; };
Delete { Volume{cube[1]}; }
Surface Loop(201) = {101, cube[0], cube[{2:5}]};
Surface Loop(202) = {tops[]};
Volume(201) = {201, 202};

Physical Surface("ball", 1) = {ball[]};
Physical Surface("far", 2) = {101, cube[0], cube[{2:5}]};
Physical Volume("fluid", 3) = {layers[], 201};
