// A square whose surface and one side are in two physical groups each, and a side that is reversed.
// Format 2.2 lists such elements once per group, under different numbers.
//
//   gmsh -2 shared_groups.geo -format msh41 -o shared_groups_v41.msh
//   gmsh -2 shared_groups.geo -format msh22 -o shared_groups_v22.msh
Point(1) = {0, 0, 0, 1};
Point(2) = {1, 0, 0, 1};
Point(3) = {1, 1, 0, 1};
Point(4) = {0, 1, 0, 1};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Physical Surface("body", 1) = {1};
Physical Surface("everything", 2) = {1};
Physical Curve("bottom", 3) = {1};
Physical Curve("bottom and right", 4) = {1, 2};
Physical Curve("top", 5) = {-3};
