// Hexahedra in a block that widens upward, so that no element is a cube: a mesh of tests/numerics/mesh_kinds.rs.
//
//   gmsh -3 bricks.geo -format msh41      -o bricks_v41_ascii.msh
//   gmsh -3 bricks.geo -format msh22 -bin -o bricks_v22_binary.msh
Point(1) = {0, 0, 0};
Point(2) = {1, 0, 0};
Point(3) = {1, 1, 0};
Point(4) = {0, 1, 0};
Point(5) = {-0.5, -0.5, 1};
Point(6) = {1.5, -0.5, 1};
Point(7) = {1.5, 1.5, 1};
Point(8) = {-0.5, 1.5, 1};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Line(5) = {5, 6};
Line(6) = {6, 7};
Line(7) = {7, 8};
Line(8) = {8, 5};
Line(9) = {1, 5};
Line(10) = {2, 6};
Line(11) = {3, 7};
Line(12) = {4, 8};
Curve Loop(1) = {1, 2, 3, 4};
Curve Loop(2) = {5, 6, 7, 8};
Curve Loop(3) = {1, 10, -5, -9};
Curve Loop(4) = {2, 11, -6, -10};
Curve Loop(5) = {3, 12, -7, -11};
Curve Loop(6) = {4, 9, -8, -12};
For s In {1:6}
  Plane Surface(s) = {s};
EndFor
Surface Loop(1) = {1:6};
Volume(1) = {1};
Transfinite Curve {1, 3, 5, 7} = 4;
Transfinite Curve {2, 4, 6, 8} = 3;
Transfinite Curve {9:12} = 3;
Transfinite Surface {1:6};
Recombine Surface {1:6};
Transfinite Volume {1};
Physical Surface("bottom", 1) = {1};
Physical Volume("body", 2) = {1};
