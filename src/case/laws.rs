//! The laws of all contact sets of a case.

use super::Case;
use crate::contact::{Friction, Restitution};

/// The law of one contact set.
#[derive(Clone, Debug)]
pub struct ContactLaw {
    /// Name of the contact set or slider.
    pub name: String,
    /// μ.
    pub friction: Friction,
    /// e and e_T.
    pub restitution: Restitution,
}

/// A slider's bound is its force: friction is 1.
pub const SLIDER_FRICTION: f64 = 1.0;

impl Case {
    /// The laws of all contact sets in their order, sliders after contacts.
    pub fn laws(&self) -> Vec<ContactLaw> {
        let contacts = self.contacts.iter().map(|contact| ContactLaw {
            name: contact.name.clone(),
            friction: contact.friction.clone(),
            restitution: contact.restitution,
        });
        let of_slider = self.scheme.law.of_slider(self.scheme.parameters.theta());
        let sliders = self.system.sliders.iter().map(|slider| ContactLaw {
            name: slider.name.clone(),
            friction: SLIDER_FRICTION.into(),
            restitution: of_slider,
        });
        contacts.chain(sliders).collect()
    }

    /// Which candidates take part in a step, in the words of a case.
    pub fn activation_name(&self) -> &'static str {
        match self.scheme.parameters.activates() {
            true => self.scheme.activation.name(),
            false => "gap at the end",
        }
    }
}
