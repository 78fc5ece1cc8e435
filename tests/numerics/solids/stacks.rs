//! What stands on what.

use std::sync::Arc;

use delassus::case::{Case, SolidCase};
use delassus::contact::ContactKey;
use delassus::model::Model;
use delassus::step::March;

use super::{FLOOR, G, Watched, body, fastest, system, under_gravity, with_contact};
use crate::support::repository;

/// Bodies of mass 2, each on the one below it, and the contacts that each has with what is below.
fn hold_a_stack(shape: SolidCase, height: f64, (count, corners): (usize, usize)) {
    let h = 5e-4;
    let mut stack = system(0.5, h);
    for k in 0..count {
        let place = [0.0, 0.0, height * (k as f64 + 0.5)];
        stack = stack.body(body(&format!("body{k}"), shape.clone(), 2.0, place));
    }
    let stack = under_gravity(stack.contact("floor", "body0", FLOOR, 0.6, 0.2));
    let mut watched = Watched::of(&with_contact(stack, 0.6, 0.2));
    let weight = |bodies: usize| bodies as f64 * 2.0 * G * h;
    for _ in 0..20 {
        watched.step();
        let contacts = watched.march.contacts();
        assert_eq!(contacts.active.len(), count * corners, "{count}: a contact is lost");
        let floor = contacts.impulse.len() - contacts.pairs.len();
        let (on_floor, between) = contacts.impulse.split_at(floor);
        let carried: f64 = on_floor.iter().map(|p| p[0]).sum();
        // The tolerance of the solver, 1e-10 of the largest impulse, over all corners.
        assert!((carried - weight(count)).abs() < 1e-8 * weight(count), "{count}: {carried}");
        for lower in 0..count - 1 {
            let own = contacts.pairs.iter().zip(between);
            let own = own.filter(|((key, _), _)| key.bodies[0] == lower as u32);
            let carried: f64 = own.map(|(_, p)| p[0]).sum();
            let above = weight(count - 1 - lower);
            assert!((carried - above).abs() < 1e-8 * weight(count), "{lower}: {carried}, {above}");
        }
        assert!(fastest(&watched.march) < 1e-9, "{count}: {:e}", fastest(&watched.march));
    }
    watched.hold_to_the_theorem(weight(count) / h * height * count as f64);
}

/// Every interface carries the weight above it, and no contact is lost.
#[test]
fn stacks_of_boxes_rest_and_their_interfaces_carry_what_is_above() {
    for count in [1, 2, 5, 10] {
        hold_a_stack(SolidCase::Box { size: [1.0, 1.0, 1.0] }, 1.0, (count, 4));
    }
}

/// Drums stand on all of their corners, however many.
#[test]
fn stacks_of_drums_stand_on_all_corners() {
    for (sides, count) in [(8, 1), (8, 5), (5, 3), (16, 3)] {
        let drum = SolidCase::Drum { radius: 0.5, length: 0.5, sides };
        hold_a_stack(drum, 0.5, (count, sides));
    }
}

/// Drums turned against each other by half a side meet where the edges of their ends cross: 16 points for 8 corners each.
#[test]
fn an_octagonal_drum_turned_on_another_rests_on_their_common_polygon() {
    let h = 5e-4;
    let drum = || SolidCase::Drum { radius: 0.5, length: 0.5, sides: 8 };
    let (sine, cosine) = (std::f64::consts::PI / 16.0).sin_cos();
    let mut upper = body("upper", drum(), 2.0, [0.0, 0.0, 0.75]);
    upper.rotation = [cosine, 0.0, 0.0, sine];
    let lower = body("lower", drum(), 2.0, [0.0, 0.0, 0.25]);
    let stack = system(0.5, h).body(lower).body(upper).contact("floor", "lower", FLOOR, 0.6, 0.2);
    let mut watched = Watched::of(&with_contact(under_gravity(stack), 0.6, 0.2));
    for _ in 0..20 {
        watched.step();
        assert_eq!(watched.march.contacts().active.len(), 8 + 16);
        assert!(fastest(&watched.march) < 1e-9, "{:e}", fastest(&watched.march));
    }
    watched.hold_to_the_theorem(4.0 * G);
}

/// `cases/rock_on_wall.toml` before the rock comes: the ground bears 1196 t, 5866.38 N s in a step.
#[test]
fn the_wall_of_the_rock_rests_on_its_ground() {
    let case = Case::read(&repository("cases/rock_on_wall.toml"), &[]).unwrap();
    let mesh = delassus::model::read_mesh(&case).unwrap();
    let mut march: March = Model::build(&case, &mesh).unwrap().march(&case).unwrap();
    let floor = case.system.bodies.iter().position(|body| body.name == "floor").unwrap() as u32;
    let exact = 1.196e6 * G * 5e-4;
    assert!((exact - 5866.38).abs() < 1e-9, "{exact}");
    let mut first: Option<Arc<[ContactKey]>> = None;
    for _ in 0..20 {
        let stepped = march.step();
        assert!(stepped.solve.error <= 1e-10, "{stepped:?}");
        let contacts = march.contacts();
        let pairs = contacts.pairs.iter().zip(&contacts.impulse);
        let on_floor = pairs.filter(|((key, _), _)| key.bodies.contains(&floor));
        let carried: f64 = on_floor.map(|(_, p)| p[0]).sum();
        assert!((carried - exact).abs() < 1e-6, "{carried} of {exact}");
        assert!(fastest(&march) < 1e-9, "{:e}", fastest(&march));
        let active = contacts.active.iter().map(|&c| contacts.pairs[c as usize].0);
        let active: Arc<[ContactKey]> = active.collect();
        match &first {
            None => first = Some(active),
            Some(first) => assert!(*first == active, "contacts come or go"),
        }
    }
}
