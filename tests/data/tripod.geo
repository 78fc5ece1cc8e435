// Three bars in space that meet in one node: a mesh of tests/numerics/mesh_kinds.rs.
//
//   gmsh -1 tripod.geo -format msh41 -o tripod_v41_ascii.msh
Point(1) = {1, 0, 0};
Point(2) = {-0.5, 0.75, 0};
Point(3) = {-0.5, -0.75, 0};
Point(4) = {0, 0, 1};
Line(1) = {1, 4};
Line(2) = {2, 4};
Line(3) = {3, 4};
Transfinite Curve {1:3} = 2;
Physical Point("feet", 1) = {1, 2, 3};
Physical Point("head", 2) = {4};
Physical Curve("legs", 3) = {1, 2, 3};
