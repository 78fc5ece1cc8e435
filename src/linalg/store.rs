//! Memory for the updates of the factorisation, used again and never more than planned.
//!
//! Fresh memory costs an interrupt per page: given back to the system between fronts, that took a
//! sixth of the time of a factorisation.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Vectors that have been used and wait for the next use.
pub(super) struct Store {
    inner: Mutex<Inner>,
    most: usize,
}

struct Inner {
    spare: Vec<Vec<f64>>,
    /// Numbers in vectors given out and in spare ones.
    numbers: usize,
}

impl Store {
    /// A store that holds at most `most` numbers, as long as no more than that are in use.
    pub fn new(most: usize) -> Self {
        Self { inner: Mutex::new(Inner { spare: Vec::new(), numbers: 0 }), most }
    }

    /// A vector of `len` numbers; their values are left over.
    pub fn take(&self, len: usize) -> Vec<f64> {
        let mut vector = {
            let mut inner = self.lock();
            let found = inner.best_for(len);
            inner.numbers += len;
            inner.numbers -= found.capacity();
            while inner.numbers > self.most && inner.drop_smallest() {}
            found
        };
        resize(&mut vector, len);
        vector
    }

    /// Takes a vector back.
    pub fn give(&self, vector: Vec<f64>) {
        self.lock().spare.push(vector);
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // What a thread that panicked has left is still only spare memory.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// To exactly `len` numbers; large vectors are resized by the system without a copy.
fn resize(vector: &mut Vec<f64>, len: usize) {
    vector.truncate(len);
    vector.shrink_to(len);
    vector.reserve_exact(len - vector.len());
    vector.resize(len, 0.0);
}

impl Inner {
    /// The smallest spare vector that is long enough, else the longest of the shorter ones, which
    /// grows, else a new one. One more than twice too long is left for a larger update.
    fn best_for(&mut self, len: usize) -> Vec<f64> {
        let misfit = |at: &usize| match self.spare[*at].capacity() {
            enough if enough >= len => (0, enough - len),
            short => (1, len - short),
        };
        let fits = |at: &usize| self.spare[*at].capacity() <= 2 * len;
        match (0..self.spare.len()).filter(fits).min_by_key(misfit) {
            Some(at) => self.spare.swap_remove(at),
            None => Vec::new(),
        }
    }

    fn drop_smallest(&mut self) -> bool {
        match (0..self.spare.len()).min_by_key(|&at| self.spare[at].capacity()) {
            Some(at) => {
                self.numbers -= self.spare.swap_remove(at).capacity();
                true
            }
            None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_used_again_and_what_is_spare_makes_room() {
        let store = Store::new(100);
        let first = store.take(60);
        let address = first.as_ptr();
        store.give(first);
        let again = store.take(60);
        assert_eq!(again.as_ptr(), address);
        let second = store.take(40);
        store.give(second);
        store.give(again);
        assert_eq!(store.take(100).len(), 100);
        assert!(store.lock().numbers <= 100, "{}", store.lock().numbers);
    }
}
