// A closed surface of triangles in space: a rigid surface of tests/numerics/mesh_kinds.rs.
//
//   gmsh -2 ball.geo -format msh41 -o ball_v41_ascii.msh
SetFactory("OpenCASCADE");
Mesh.MeshSizeMax = 1;
Sphere(1) = {0, 0, 0, 1};
Physical Surface("skin", 1) = {1};
