// A box of tetrahedra with its bottom and its top named: the meshes of tests/numerics/mesh_kinds.rs.
//
//   gmsh -3 box.geo -format msh22      -o box_v22_ascii.msh
//   gmsh -3 box.geo -format msh41 -bin -o box_v41_binary.msh
//   gmsh -3 -order 2 box.geo -format msh41      -o box_order2_v41_ascii.msh
//   gmsh -3 -order 2 box.geo -format msh22 -bin -o box_order2_v22_binary.msh
size = 0.5;
Point(1) = {0, 0, 0, size};
Point(2) = {1, 0, 0, size};
Point(3) = {1, 0.75, 0, size};
Point(4) = {0, 0.75, 0, size};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
sides[] = Extrude {0, 0, 0.5} { Surface{1}; };
Physical Point("pin", 1) = {1};
Physical Curve("edge", 2) = {1};
Physical Surface("bottom", 3) = {1};
Physical Surface("top", 4) = {sides[0]};
Physical Volume("body", 5) = {sides[1]};
