// A disc of six-node triangles whose boundary is curved: a mesh of tests/numerics/mesh_kinds.rs.
//
//   gmsh -2 -order 2 disc.geo -format msh41      -o disc_order2_v41_ascii.msh
//   gmsh -2 -order 2 disc.geo -format msh22 -bin -o disc_order2_v22_binary.msh
size = 0.6;
Point(1) = {0, 0, 0, size};
Point(2) = {1, 0, 0, size};
Point(3) = {0, 1, 0, size};
Point(4) = {-1, 0, 0, size};
Point(5) = {0, -1, 0, size};
Circle(1) = {2, 1, 3};
Circle(2) = {3, 1, 4};
Circle(3) = {4, 1, 5};
Circle(4) = {5, 1, 2};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Physical Curve("rim", 1) = {1, 2, 3, 4};
Physical Surface("disc", 2) = {1};
