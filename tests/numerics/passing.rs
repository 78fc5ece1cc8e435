//! Rigid bodies that pass through each other, or are deep in each other, are told.
#![allow(clippy::unwrap_used)] // a test that cannot go on has failed

use delassus::output::Summary;

use crate::support::systems::run_text;

/// A ball of radius 0.1 shot at a plate 0.1 thick at 100 m/s, 0.95 m before it.
fn shot(step: f64, plane: bool) -> Summary {
    let (ball, size, place, velocity) = match plane {
        true => ("disk", "[0.1, 4.0]", "[-1.1, 0.0]", "[100.0, 0.0]"),
        false => ("sphere", "[0.1, 4.0, 4.0]", "[-1.1, 0.0, 0.0]", "[100.0, 0.0, 0.0]"),
    };
    let middle = if plane { "[0.0, 0.0]" } else { "[0.0, 0.0, 0.0]" };
    let text = format!(
        "units = \"m, s, kg\"\n\n[body.ball]\nshape = \"{ball}\"\nradius = 0.1\nmass = 1.0\nposition = {place}\nvelocity = {velocity}\n\n\
         [body.plate]\nshape = \"box\"\nsize = {size}\nfixed = true\nposition = {middle}\n\n\
         [contact.armour]\nbetween = [\"bodies\", \"bodies\"]\nfriction = 0.3\nrestitution = 0.5\n\n\
         [scheme]\nstep = {step:?}\nend = 0.04\n"
    );
    run_text(&text, &[]).0
}

#[test]
fn a_bullet_that_passes_through_a_plate_in_a_step_is_told() {
    for plane in [false, true] {
        let summary = shot(0.02, plane);
        let crossing = summary.departures.crossings.first().unwrap();
        // From −1.1 to 0.9 in the first step.
        assert_eq!((crossing.step, crossing.count, &*crossing.contact), (1, 1, "armour"));
        assert_eq!(crossing.point, "bodies 'ball' and 'plate'");
        let told = |notice: &String| notice.contains("have passed through each other");
        assert_eq!(summary.notices.iter().filter(|notice| told(notice)).count(), 1);
        // A step of 2 cm stops at the plate, in it by less than that.
        let summary = shot(2e-4, plane);
        assert!(summary.departures.crossings.is_empty(), "{:?}", summary.departures);
        let found = summary.departures.penetration.unwrap();
        assert!(found.depth > 0.0 && found.depth < 0.02, "{found:?}");
        assert_eq!((&*found.contact, &*found.point), ("armour", "bodies 'ball' and 'plate'"));
    }
}
