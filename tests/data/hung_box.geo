// A box of tetrahedra that hangs from two bars: a mesh of tests/numerics/mesh_kinds.rs.
//
//   gmsh -3 hung_box.geo -format msh41      -o hung_box_v41_ascii.msh
//   gmsh -3 hung_box.geo -format msh22 -bin -o hung_box_v22_binary.msh
size = 1;
Point(1) = {0, 0, 0, size};
Point(2) = {1, 0, 0, size};
Point(3) = {1, 1, 0, size};
Point(4) = {0, 1, 0, size};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
sides[] = Extrude {0, 0, 1} { Surface{1}; };
Point(101) = {0, 0, 3, size};
Point(102) = {1, 1, 3, size};
corners[] = Point In BoundingBox {-0.1, -0.1, 0.9, 0.1, 0.1, 1.1};
others[] = Point In BoundingBox {0.9, 0.9, 0.9, 1.1, 1.1, 1.1};
Line(101) = {corners[0], 101};
Line(102) = {others[0], 102};
Transfinite Curve {101, 102} = 3;
Physical Point("hooks", 1) = {101, 102};
Physical Curve("ropes", 2) = {101, 102};
Physical Surface("floor", 3) = {1};
Physical Volume("box", 4) = {sides[1]};
