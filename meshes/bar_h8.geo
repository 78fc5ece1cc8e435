// A bar 1 x 1 x 4 of 256 hexahedra, standing on its sole: gmsh -3 bar_h8.geo
Point(1) = {0, 0, 0};
Point(2) = {1, 0, 0};
Point(3) = {1, 1, 0};
Point(4) = {0, 1, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Curve {1, 2, 3, 4} = 5;
Transfinite Surface {1};
Recombine Surface {1};
up[] = Extrude {0, 0, 4} { Surface{1}; Layers{16}; Recombine; };
Physical Surface("sole") = {1};
Physical Surface("top") = {up[0]};
Physical Volume("body") = {up[1]};
