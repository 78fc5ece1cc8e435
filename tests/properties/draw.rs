//! How random problems are drawn: what stands first in a choice is what a counter-example shrinks to.

use delassus::contact::ActivationRule;
use delassus::mesh::ElementKind;
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;

use crate::matter::{Matter, Piece, Rigid, Shape};
use crate::scenario::{
    Course, Hold, Kind, Law, Obstacle, Pull, Scenario, Stepping, Surface, units,
};
use crate::view::{Vector, View, dot, times};

/// Which schemes, laws and bodies.
#[derive(Clone, Copy)]
pub struct Range {
    /// Frémond's law with Moreau–Jean and activation by gap and velocity only.
    pub within_the_theorem: bool,
    /// Nothing that the axes see: no rollers.
    pub turned: bool,
}

fn vector(size: f64) -> impl Strategy<Value = Vector> {
    [-size..size, -size..size, -size..size]
}

fn matter() -> impl Strategy<Value = Matter> {
    let plane = (
        select(vec![ElementKind::Triangle3, ElementKind::Quadrangle4, ElementKind::Triangle6]),
        [1..5usize, 1..5usize],
        [0.5..1.5f64, 0.5..1.5f64],
    );
    let plane = plane.prop_map(|(kind, cells, size)| {
        let most = if kind == ElementKind::Triangle6 { 3 } else { 5 };
        Matter::Plane { kind, cells: cells.map(|n| n.min(most)), size }
    });
    let block = (
        select(vec![
            ElementKind::Tetrahedron4,
            ElementKind::Hexahedron8,
            ElementKind::Tetrahedron10,
        ]),
        [1..3usize, 1..3usize, 1..3usize],
        [0.5..1.5f64, 0.5..1.5f64, 0.5..1.5f64],
    );
    let block = block.prop_map(|(kind, cells, size)| {
        let cells = if kind == ElementKind::Tetrahedron10 { [cells[0], 1, 1] } else { cells };
        Matter::Block { kind, cells, size }
    });
    prop_oneof![
        2 => (1..20usize).prop_map(|cells| Matter::Line { cells }),
        6 => plane,
        2 => (1..4usize).prop_map(|quarter| Matter::Fan { rim: 4 * quarter }),
        4 => block,
        4 => rigid().prop_map(Matter::Rigid),
    ]
}

fn rigid() -> impl Strategy<Value = Rigid> {
    let piece = (
        select(vec![Shape::Disk, Shape::Rod, Shape::Box, Shape::Ball]),
        0.4..1.2f64,
        0.1..10.0f64,
        -1.5..1.5f64,
        vector(1.0),
        -2.0..2.0f64,
    );
    let piece = piece.prop_map(|(shape, size, mass, angle, velocity, spin)| Piece {
        shape,
        size,
        mass,
        position: [0.0; 3],
        angle,
        velocity,
        spin,
    });
    let spring = of([1.0..100.0f64, 0.0..0.5f64]);
    (2..=3usize, vec(piece, 1..=3), spring, any::<bool>(), 0.0..0.2f64).prop_map(
        |(dimension, mut pieces, spring, joint, apart)| {
            // Side by side, close above the floor.
            let mut x = 0.0;
            for piece in &mut pieces {
                let reach = 0.5 * piece.size;
                let across = [x + reach, 0.0, 0.0];
                piece.position = across;
                piece.position[dimension - 1] = reach + 0.02;
                piece.velocity[dimension - 1] -= 1.0;
                x += 2.0 * reach + apart;
            }
            Rigid { dimension, pieces, spring, joint }
        },
    )
}

fn course() -> impl Strategy<Value = Course> {
    prop_oneof![
        Just(Course::Constant),
        (0.0..0.8f64).prop_map(Course::Step),
        smooth(),
        (0.1..1.5f64).prop_map(Course::Square),
    ]
}

/// Those that a displacement can follow.
fn smooth() -> impl Strategy<Value = Course> {
    prop_oneof![
        (0.0..0.6f64, 0.1..0.6f64).prop_map(|(start, long)| Course::Ramp(start, long)),
        (0.3..2.0f64).prop_map(|period| Course::Sine(period, 0.0)),
        (0.1..0.9f64, -1.0..1.0f64).prop_map(|(at, value)| Course::Table(at, value)),
    ]
}

fn hold(turned: bool, still: bool) -> BoxedStrategy<Hold> {
    let roller = if turned { Hold::Still } else { Hold::Roller };
    let at_rest = prop_oneof![3 => Just(Hold::Free), 1 => Just(Hold::Still), 1 => Just(roller)];
    if still {
        return at_rest.boxed();
    }
    prop_oneof![
        5 => at_rest,
        1 => (vector(1.0), course()).prop_map(|(v, course)| Hold::Moved(v, course)),
        1 => (vector(1.0), smooth()).prop_map(|(v, course)| Hold::Shaken(v, course)),
    ]
    .boxed()
}

fn pull() -> impl Strategy<Value = (Pull, Course)> {
    let pull = prop_oneof![
        vector(1.0).prop_map(Pull::Traction),
        (-1.0..1.0f64).prop_map(Pull::Pressure),
        vector(1.0).prop_map(Pull::Force),
    ];
    (pull, course())
}

fn obstacle() -> impl Strategy<Value = Obstacle> {
    let surface = prop_oneof![
        4 => Just(Surface::Half),
        1 => (0.7..3.0f64).prop_map(Surface::Ball),
        1 => (2.5..4.0f64).prop_map(Surface::Bowl),
        1 => (0.7..3.0f64).prop_map(Surface::Cylinder),
        1 => (1.0..3.0f64).prop_map(Surface::Box),
        1 => Just(Surface::Room),
    ];
    let gap = prop_oneof![1 => Just(0.0), 3 => 0.0..0.5f64];
    let friction = prop_oneof![1 => Just(0.0), 4 => 0.0..1.0f64];
    let restitution = prop_oneof![1 => Just(0.0), 1 => Just(1.0), 3 => 0.0..1.0f64];
    let motion = (of((vector(0.5), course())), of(-2.0..2.0f64));
    (surface, gap, vector(0.3), motion, friction, restitution, -1.0..1.0f64).prop_map(
        |(surface, gap, tilt, (velocity, spin), friction, restitution, tangential)| Obstacle {
            surface,
            gap,
            tilt,
            velocity,
            spin,
            friction,
            restitution,
            tangential,
        },
    )
}

fn kind(moreau_jean: bool) -> BoxedStrategy<Kind> {
    let looks = prop_oneof![
        3 => Just(Kind::MoreauJean),
        1 => (0.0..1.0f64).prop_map(Kind::Extrapolated),
        1 => Just(Kind::Middle),
    ];
    if moreau_jean {
        return looks.boxed();
    }
    let excess = || prop_oneof![1 => Just([0.0; 2]), 2 => [0.0..0.3f64, 0.0..0.3f64]];
    prop_oneof![
        5 => looks,
        1 => excess().prop_map(Kind::Newmark),
        1 => (0.0..0.33f64).prop_map(Kind::Hht),
        1 => (0.0..1.0f64).prop_map(Kind::GeneralisedAlpha),
        1 => (0.0..0.3f64).prop_map(Kind::SchatzmanPaoli),
        1 => Just(Kind::CentralDifference),
        1 => excess().prop_map(Kind::PlainNewmark),
    ]
    .boxed()
}

fn stepping(within: bool) -> impl Strategy<Value = Stepping> {
    let law = if within {
        Just(Law::Fremond).boxed()
    } else {
        prop_oneof![2 => Just(Law::Fremond), 1 => Just(Law::Newton), 1 => Just(Law::Moreau)].boxed()
    };
    let theta = prop_oneof![1 => Just(0.0), 1 => Just(1.0), 2 => 0.0..1.0f64];
    // With any e the theorem holds for contacts that leave, and for (64) without a tolerance.
    let approaching = |velocity_tolerance| ActivationRule::Approaching { velocity_tolerance };
    let rule = if within {
        prop_oneof![5 => Just(ActivationRule::Closed), 1 => Just(approaching(0.0))].boxed()
    } else {
        let others = prop_oneof![Just(approaching(1e-9)), Just(ActivationRule::GapAlone)];
        prop_oneof![3 => Just(ActivationRule::Closed), 1 => others].boxed()
    };
    (kind(within), law, theta, 1..40usize, -1.0..1.0f64, rule, any::<bool>()).prop_map(
        |(kind, law, theta, steps, decades, activation, corrected)| Stepping {
            kind,
            law,
            theta,
            steps,
            courant: 10f64.powf(decades),
            activation,
            corrected,
        },
    )
}

/// A problem in units of its own.
pub fn scenario(range: Range) -> impl Strategy<Value = Scenario> {
    let Range { within_the_theorem, turned } = range;
    let body = (
        matter(),
        prop_oneof![1 => Just(0.0), 2 => 0.0..0.2f64],
        0..3usize,
        any::<u64>(),
        0.5..3.0f64,
        -0.3..0.48f64,
        any::<[bool; 2]>(),
        prop_oneof![2 => Just([0.0; 2]), 1 => [0.0..1.0f64, 0.0..0.1f64]],
    );
    let acts = (
        of((vector(1.0), any::<bool>())),
        of(pull()),
        obstacle(),
        of(obstacle()),
        vector(0.5),
        prop_oneof![1 => Just([0.0; 3]), 1 => vector(1.0)],
        of(vector(0.5)),
    );
    let how = stepping(within_the_theorem).prop_flat_map(move |stepping| {
        (Just(stepping), hold(turned, !stepping.kind.is_moreau_jean()))
    });
    (body, acts, how, decades()).prop_map(move |(body, acts, (stepping, hold), view)| {
        let (matter, jitter, cuts, seed, decades, poisson, [plane_stress, lumped], damping) = body;
        let (gravity, pull, floor, wall, mut velocity, spin, preload) = acts;
        velocity[matter.dimension() - 1] -= 0.6;
        solvable(Scenario {
            matter,
            jitter,
            cuts,
            seed,
            wave_speed: 10f64.powf(decades),
            poisson,
            plane_stress,
            lumped,
            damping,
            hold,
            gravity,
            pull,
            floor,
            wall,
            velocity,
            spin,
            preload,
            stepping,
            tolerances: false,
            view,
        })
    })
}

/// The same problem without what may have no solution at all. There is one where some motion has
/// u_N > μ‖u_T‖ at every contact; a node that two obstacles touch has it if the corner between them is
/// wide and friction small, one that is held across has not, nor has a body that an obstacle is pushed
/// against while it hangs from a pin. And bodies with corners meet no obstacle that bulges.
fn solvable(mut scenario: Scenario) -> Scenario {
    let is_round = |piece: &Piece| matches!(piece.shape, Shape::Disk | Shape::Ball);
    let bulges =
        matches!(scenario.floor.surface, Surface::Ball(_) | Surface::Cylinder(_) | Surface::Box(_));
    if bulges && scenario.matter.rigid().is_some_and(|own| !own.pieces.iter().all(is_round)) {
        scenario.floor.surface = Surface::Half;
    }
    let corner = scenario.floor.surface == Surface::Half && !matches!(scenario.hold, Hold::Roller);
    if !corner {
        scenario.wall = None;
    }
    if let Some(wall) = &mut scenario.wall {
        wall.surface = Surface::Half;
        wall.friction *= 0.5;
        scenario.floor.friction *= 0.5;
    }
    if scenario.matter.rigid().is_some_and(|rigid| rigid.joint && rigid.pieces.len() == 1) {
        scenario.floor.velocity = None;
        scenario.floor.spin = None;
    }
    scenario
}

/// Units of length, time and mass over eight decades each.
pub fn decades() -> impl Strategy<Value = View> {
    [-4..=4i32, -4..=4i32, -4..=4i32].prop_map(|powers| units(powers.map(|p| 10f64.powi(p))))
}

/// Another place, another direction, or a mirror.
pub fn elsewhere(dimension: usize) -> impl Strategy<Value = View> {
    (any::<bool>(), vector(1.0), -3.0..3.0f64, vector(5.0)).prop_map(
        move |(mirror, axis, angle, shift)| {
            let (axis, angle) = match dimension {
                1 => ([0.0, 0.0, 1.0], 0.0),
                2 => ([0.0, 0.0, 1.0], angle),
                _ if dot(axis, axis) < 0.01 => ([0.0, 0.0, 1.0], angle),
                _ => (times(1.0 / dot(axis, axis).sqrt(), axis), angle),
            };
            let shift = [0, 1, 2].map(|i| if i < dimension { shift[i] } else { 0.0 });
            View { mirror, axis, angle, shift, ..units([1.0; 3]) }
        },
    )
}

/// The same problem with nothing in it whose share of the momentum is not known: see `momentum`.
pub fn of_known_momentum(mut scenario: Scenario) -> Scenario {
    if let Matter::Rigid(rigid) = &mut scenario.matter {
        rigid.joint = false;
        if scenario.stepping.kind != Kind::MoreauJean {
            scenario.stepping.kind = Kind::Extrapolated(0.5);
        }
    } else if !scenario.stepping.kind.is_moreau_jean() {
        scenario.hold = Hold::Free;
        scenario.damping = [0.0; 2];
        if let Some((_, course)) = &mut scenario.pull {
            *course = Course::Constant;
        }
    }
    scenario
}
