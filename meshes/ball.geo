// Ball of radius 10 mm (m) on z = 0, with tetrahedra that shrink towards its south pole, where it
// touches; mesh: gmsh -3 -bin -setnumber fine 3 ball.geo
// fine = elements along the radius of the contact area.
If (!Exists(fine))
  fine = 6;
EndIf
R = 0.01;
a = 3.213e-4;               // Hertz's contact radius at the greatest approach
alpha = Asin(2 * a / R);    // the cap that may touch, 2 a in radius
Point(1) = {0, 0, R};
Point(2) = {0, 0, 0};
Point(3) = {0, 0, 2 * R};
Point(4) = {0, 0, R - R * Cos(alpha)};
For i In {0:3}
  x = Cos(i * Pi / 2);
  y = Sin(i * Pi / 2);
  Point(10 + i) = {2 * a * x, 2 * a * y, R - R * Cos(alpha)};
  Point(20 + i) = {R * x, R * y, R};
EndFor
For i In {0:3}
  j = (i + 1) % 4;
  Circle(10 + i) = {2, 1, 10 + i};           // meridians
  Circle(20 + i) = {10 + i, 1, 20 + i};
  Circle(30 + i) = {20 + i, 1, 3};
  Circle(40 + i) = {10 + i, 4, 10 + j};      // round the cap
  Circle(50 + i) = {20 + i, 1, 20 + j};      // and the equator
EndFor
For i In {0:3}
  j = (i + 1) % 4;
  Curve Loop(10 + i) = {10 + i, 40 + i, -(10 + j)};
  Surface(10 + i) = {10 + i} In Sphere {1};
  Curve Loop(20 + i) = {20 + i, 50 + i, -(20 + j), -(40 + i)};
  Surface(20 + i) = {20 + i} In Sphere {1};
  Curve Loop(30 + i) = {30 + i, -(30 + j), -(50 + i)};
  Surface(30 + i) = {30 + i} In Sphere {1};
EndFor
Surface Loop(1) = {10:13, 20:23, 30:33};
Volume(1) = {1};
Physical Surface("contact") = {10:13};
Physical Volume("ball") = {1};
Field[1] = MathEval;
Field[1].F = Sprintf("Min(%g, Max(%g, %g + 0.25 * (sqrt(x * x + y * y + z * z) - %g)))", R / 5, a / fine, a / fine, 1.3 * a);
Background Field = 1;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
Mesh.Optimize = 1;
