// Bar of 0.99 m along x, 99 elements; mesh: gmsh -1 bar_1d.geo
Point(1) = {0, 0, 0};
Point(2) = {0.99, 0, 0};
Line(1) = {1, 2};
Transfinite Curve {1} = 100;
Physical Point("contact") = {1};
Physical Point("free end") = {2};
Physical Curve("bar") = {1};
