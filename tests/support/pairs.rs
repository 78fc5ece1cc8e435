//! Cases of rigid bodies that touch each other, small enough for every test.

/// Three boxes on a floor, a prop that is taken away, and a ball that comes later and falls.
pub const BOXES_IN_SPACE: &str = r#"title = "Boxes, a ball and a prop"
units = "m, s, kg"

[body.floor]
shape = "box"
size = [6.0, 4.0, 0.2]
fixed = true
position = [0.0, 0.0, -0.1]
material = "stone"

[body.box]
shape = "box"
size = [1.0, 1.0, 1.0]
mass = 2.0
position = [0.0, 0.0, 0.5]
repeat = { count = [1, 1, 3], spacing = [1.0, 1.0, 1.0] }
material = "stone"

[body.prop]
shape = "box"
size = [0.5, 0.5, 0.5]
mass = 1.0
position = [-2.0, 0.0, 0.25]
material = "stone"
removed = 0.03

[body.ball]
shape = "sphere"
radius = 0.25
mass = 0.5
position = [1.5, 0.0, 0.2501]
velocity = [1.0, 0.0, 0.0]
spin = [0.0, 0.0, 3.0]
material = "stone"
born = 0.02

[load.weight]
gravity = [0.0, 0.0, -9.81]

[contact.stones]
between = ["bodies", "bodies"]
friction = 0.5
restitution = 0.1

[scheme]
law = "fremond"
theta = 0.5
step = 1e-3
end = 0.05

[output]
fields_every = 10
"#;

/// Two boxes and two disks on a floor in the plane, one of which rolls, and a box on an obstacle.
pub const DISKS_IN_THE_PLANE: &str = r#"title = "Boxes and disks"
units = "m, s, kg"

[body.floor]
shape = "box"
size = [8.0, 0.2]
fixed = true
position = [0.0, -0.1]

[body.box]
shape = "box"
size = [1.0, 1.0]
mass = 2.0
position = [-1.0, 0.5]
repeat = { count = [1, 2], spacing = [1.0, 1.0] }

[body.disk]
shape = "disk"
radius = 0.5
mass = 1.0
position = [1.0, 0.5]
repeat = { count = [2, 1], spacing = [1.0, 1.0] }
velocity = [-0.5, 0.0]

[body."a, b"]
shape = "box"
size = [0.5, 0.5]
mass = 1.0
position = [-6.0, 0.25]

[load.weight]
gravity = [0.0, -9.81]

[contact.bodies]
between = ["bodies", "bodies"]
friction = 0.3
restitution = 0.2

[contact.table]
group = "a, b"
obstacle = { kind = "half-plane", point = [0.0, 0.0], normal = [0.0, 1.0] }
friction = 0.3
restitution = 0.0

[scheme]
law = "fremond"
theta = 0.5
step = 1e-3
end = 0.2

[output]
fields_every = 20
"#;
