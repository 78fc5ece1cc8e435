// Bar of 20 mm x 20 mm x 200 mm (m) along z, hexahedra; mesh: gmsh -3 bar_3d.geo
n = 200;   // elements along the bar
m = 2;     // and across
side = 0.02;
length = 0.2;
Point(1) = {0, 0, 0};
Point(2) = {side, 0, 0};
Point(3) = {side, side, 0};
Point(4) = {0, side, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Curve {1, 2, 3, 4} = m + 1;
Transfinite Surface {1};
Recombine Surface {1};
up[] = Extrude {0, 0, length} { Surface{1}; Layers{n}; Recombine; };
Physical Surface("contact") = {1};
Physical Surface("free end") = {up[0]};
Physical Volume("bar") = {up[1]};
