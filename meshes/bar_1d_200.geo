// Bar of length 10 along x, 200 elements; mesh: gmsh -1 bar_1d_200.geo
Point(1) = {0, 0, 0};
Point(2) = {10, 0, 0};
Line(1) = {1, 2};
Transfinite Curve {1} = 201;
Physical Point("contact") = {1};
Physical Point("free end") = {2};
Physical Curve("bar") = {1};
