// Upright bar, 10 long and 0.2 wide, its foot on y = 0; mesh: gmsh -2 bar.geo -o bar.msh
// Structured: 4 x 200 cells, each cut along the same diagonal, so that every section moves as one.
width = 0.2;
height = 10;
Point(1) = {0, 0, 0};
Point(2) = {width, 0, 0};
Point(3) = {width, height, 0};
Point(4) = {0, height, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Curve {1, 3} = 5;
Transfinite Curve {2, 4} = 201;
Transfinite Surface {1} Left;
Physical Curve("foot") = {1};
Physical Curve("head") = {3};
Physical Surface("bar") = {1};
