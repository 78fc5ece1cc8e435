//! Ctrl-C: the first asks a run to stop after its step, the second ends the program at once.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::error::Error;

/// Whether somebody wants the program to end.
#[derive(Clone)]
pub(super) struct Interrupt {
    /// Whether the next signal ends the program: true until steps are taken, for there is nothing to save
    /// before, and again after the first signal.
    ends_at_once: Arc<AtomicBool>,
    signal: Arc<AtomicUsize>,
    stepping: bool,
}

impl Interrupt {
    /// Listens to SIGINT and SIGTERM.
    pub fn install() -> Result<Self, Error> {
        let ends_at_once = Arc::new(AtomicBool::new(true));
        let signal = Arc::new(AtomicUsize::new(0));
        let listen = |number: i32| -> io::Result<()> {
            let ends = || Arc::clone(&ends_at_once);
            // In this order: the first signal finds the flag down, and raises it.
            flag::register_conditional_shutdown(number, 128 + number, ends())?;
            flag::register(number, ends())?;
            flag::register_usize(number, Arc::clone(&signal), number as usize)?;
            Ok(())
        };
        let listening = listen(SIGINT).and_then(|()| listen(SIGTERM));
        listening.map_err(|error| Error::Usage(format!("cannot listen to Ctrl-C: {error}")))?;
        Ok(Self { ends_at_once, signal, stepping: false })
    }

    /// Whether a signal has come since this was first asked; until then signals end the program.
    pub fn asks(&mut self) -> bool {
        if !self.stepping {
            self.stepping = true;
            self.ends_at_once.store(false, Ordering::Relaxed);
        }
        self.ends_at_once.load(Ordering::Relaxed)
    }

    /// The signal that has come.
    pub fn signal(&self) -> u8 {
        self.signal.load(Ordering::Relaxed) as u8
    }
}
