// Two blocks side by side, one physical surface each, and named curves: the mesh of tests/numerics/mesh_reading.rs.
//
//   gmsh -2 two_blocks.geo -format msh41      -o two_blocks_v41_ascii.msh
//   gmsh -2 two_blocks.geo -format msh41 -bin -o two_blocks_v41_binary.msh
//   gmsh -2 two_blocks.geo -format msh22      -o two_blocks_v22_ascii.msh
//   gmsh -2 two_blocks.geo -format msh22 -bin -o two_blocks_v22_binary.msh
//   gmsh -2 two_blocks.geo -format msh41 -save_all -o two_blocks_v41_all.msh
//   gmsh -2 two_blocks.geo -format msh22 -save_all -o two_blocks_v22_all.msh
size = 0.5;
Point(1) = {0, 0, 0, size};
Point(2) = {1, 0, 0, size};
Point(3) = {1.75, 0, 0, size};
Point(4) = {1.75, 1, 0, size};
Point(5) = {1, 1, 0, size};
Point(6) = {0, 1, 0, size};
Point(9) = {3, 3, 0, size}; // on no surface: saved only with Mesh.SaveAll
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
Physical Point("pin", 30) = {1};
Physical Curve("contact", 10) = {1, 2};
Physical Curve("wall left", 11) = {6};
Physical Curve(12) = {3}; // without a name
Physical Surface("soft", 20) = {1};
Physical Surface("stiff", 21) = {2};
