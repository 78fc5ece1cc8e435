//! Columns and walls of bricks on a slope: when they slide, tip, or come apart.

use delassus::contact::solver::SolveStatus;
use delassus::step::March;

use super::{FLOOR, G, fastest, joints, march, scheme, step, weight};

const STEP: f64 = 1e-3;

/// Running bond of bricks 2 × 1, halves at the ends of every other course, on a slope.
fn wall(bricks: usize, courses: usize, friction: f64, degrees: f64) -> March {
    let wall = format!(
        "[body.wall]\nshape = 'box'\nsize = [2.0, 1.0]\ndensity = 2000.0\nposition = [0.0, 0.5]\n\
         layers = {{ count = {courses}, bricks = {bricks}, pitch = 2.0, height = 1.0, shrink = 0, half_ends = true }}\n"
    );
    let weight = weight(degrees.to_radians());
    march(
        &[&wall, FLOOR, &weight, &joints(friction, 0.0), &scheme(STEP)].map(String::from).concat(),
    )
}

/// Boxes 1 × ½ on each other.
fn column(boxes: usize, friction: f64, degrees: f64) -> March {
    let column = format!(
        "[body.column]\nshape = 'box'\nsize = [1.0, 0.5]\ndensity = 2000.0\nposition = [0.0, 0.25]\n\
         repeat = {{ count = [1, {boxes}], spacing = [1.0, 0.5] }}\n"
    );
    let weight = weight(degrees.to_radians());
    march(
        &[&column, FLOOR, &weight, &joints(friction, 0.0), &scheme(STEP)]
            .map(String::from)
            .concat(),
    )
}

/// Whether the first step from rest moves it, faster than rounding.
fn moves(mut march: March) -> bool {
    let stepped = march.step();
    assert_eq!(stepped.solve.status, SolveStatus::Converged, "{stepped:?}");
    let speed = fastest(&march) / (G * STEP);
    println!("{speed:.1e} of g h after {} iterations", stepped.solve.iterations);
    assert!(!(1e-9..1e-6).contains(&speed), "neither rest nor motion: {speed:e}");
    speed > 1e-7
}

/// That it rests for some time, warm.
fn rests(mut march: March) -> bool {
    (0..10).for_each(|_| step(&mut march));
    fastest(&march) < 1e-9 * G * STEP
}

/// Ten boxes tip at tan = b/H = 1/5 where friction holds them, and slide at tan = μ where it does not.
#[test]
fn a_column_tips_at_its_width_over_its_height_or_slides_at_its_friction() {
    for (friction, limit) in
        [(0.6, (0.2_f64).atan()), (0.21, (0.2_f64).atan()), (0.15, (0.15_f64).atan())]
    {
        let limit = limit.to_degrees();
        for off in [1e-4, 1e-2] {
            assert!(rests(column(10, friction, limit - off)), "{friction}: {off} below");
            assert!(moves(column(10, friction, limit + off)), "{friction}: {off} above");
        }
    }
}

/// Bricks, courses, μ, the angle above which no forces carry the wall (BODIES: linear programmes), and how far below it
/// rest is found from rest. Between, rest is a solution and so are motions: a contact that slides opens
/// those beside it (Coulomb's friction is not associated), and which of them a solver finds is no matter of mechanics.
const WALLS: [(usize, usize, f64, f64, f64); 14] = [
    (1, 6, 0.3, 16.6992, 1e-3),
    (1, 6, 0.6, 18.4349, 1e-3),
    (2, 8, 0.3, 16.6992, 1e-3),
    (2, 8, 0.5, 23.5969, 0.25),
    (2, 8, 0.6, 24.3704, 0.85),
    (2, 8, 0.7, 24.7311, 0.9),
    (4, 8, 0.3, 16.6992, 1e-3),
    (4, 8, 0.5, 26.5651, 1e-3),
    (4, 8, 0.6, 28.8298, 0.3),
    (4, 8, 0.7, 30.3962, 1.4),
    (5, 10, 0.3, 16.6992, 5e-3),
    (5, 10, 0.5, 26.3681, 0.05),
    (5, 10, 0.6, 27.6409, 0.55),
    (5, 10, 0.7, 29.1004, 1.6),
];

#[test]
fn walls_rest_up_to_the_angle_of_limit_analysis_or_near_it_and_not_above() {
    for (bricks, courses, friction, angle, below) in WALLS {
        let told = format!("{bricks} × {courses}, friction {friction}, {angle}°");
        println!("{told}");
        assert!(moves(wall(bricks, courses, friction, angle + 1e-3)), "{told}: rests above");
        assert!(rests(wall(bricks, courses, friction, angle - below)), "{told}: moves below");
    }
}
