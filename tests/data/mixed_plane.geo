// Quadrangles beside triangles in the plane: a mesh of tests/numerics/mesh_kinds.rs.
//
//   gmsh -2 mixed_plane.geo -format msh41 -bin -o mixed_plane_v41_binary.msh
//   gmsh -2 mixed_plane.geo -format msh22      -o mixed_plane_v22_ascii.msh
size = 0.5;
Point(1) = {0, 0, 0, size};
Point(2) = {1, 0, 0, size};
Point(3) = {2, 0, 0, size};
Point(4) = {2, 1, 0, size};
Point(5) = {1, 1, 0, size};
Point(6) = {0, 1, 0, size};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 5};
Line(5) = {5, 6};
Line(6) = {6, 1};
Line(7) = {2, 5};
Curve Loop(1) = {1, 7, 5, 6};
Curve Loop(2) = {2, 3, 4, -7};
Plane Surface(1) = {1};
Plane Surface(2) = {2};
Transfinite Surface {1};
Recombine Surface {1};
Physical Curve("floor", 1) = {1, 2};
Physical Surface("bricks", 2) = {1};
Physical Surface("filling", 3) = {2};
