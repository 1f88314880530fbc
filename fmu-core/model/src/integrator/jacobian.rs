//! The Jacobian df/dx of a system, sparse by its blocks.
//!
//! Columns that no row has both of are found by one evaluation along the sum of their directions
//! (A. R. Curtis, M. J. D. Powell, J. K. Reid: On the estimation of sparse Jacobian matrices, J.
//! Inst. Math. Appl. 13 (1974) 117-119). Two blocks of states share evaluations if they are neither
//! coupled nor coupled to a third one; the colours of this graph are given greedily. So a thousand
//! bodies that touch nothing but the ground cost as many evaluations as one.

use super::elimination::{Elimination, Rows};
use super::evaluator::Evaluator;
use crate::hybrid::{Along, Blocks, DIRECTIONS, Direction, EvaluationError, HybridSystem};

/// Steps of the power iteration before those that count: enough for the magnitude.
const FIRST: usize = 4;
/// Steps that count, a power of two.
const COUNTED: usize = 8;

/// The matrix at one (t, x), and what follows from its pattern.
#[derive(Clone, Debug, Default)]
pub(super) struct Jacobian {
    /// Blocks of the pattern that is known, and those of now.
    known: Blocks,
    now: Blocks,
    pattern: Rows,
    values: Vec<f64>,
    /// Columns of each evaluation, and the entries that it gives.
    columns: Rows,
    entries: Rows,
    /// Row of each entry of `pattern`.
    row_of: Vec<usize>,
    elimination: Elimination,
    /// The factors do.
    fits: bool,
    /// `values` are of these blocks.
    is_known: bool,
    /// What the factors of now were made for.
    shift: Option<f64>,
    /// [`DIRECTIONS`] directions, an empty one of the inputs, and rates along each.
    directions: Vec<f64>,
    no_inputs: Vec<f64>,
    rates: Vec<f64>,
}

impl Jacobian {
    /// Evaluates the matrix at (t, x).
    pub fn evaluate<S: HybridSystem + ?Sized>(
        &mut self,
        evaluator: &mut Evaluator<'_, S>,
        time: f64,
        states: &[f64],
    ) -> Result<(), EvaluationError> {
        self.read_blocks(evaluator);
        (self.is_known, self.shift) = (false, None);
        if !self.fits {
            return Err(EvaluationError::error(format!(
                "the {} states touch each other in a way that the linear equations of the implicit \
                 solver are too many: choose the explicit one",
                self.known.of_states.len()
            )));
        }
        let n = self.known.of_states.len();
        for first in (0..self.columns.count()).step_by(DIRECTIONS) {
            let evaluations = first..self.columns.count().min(first + DIRECTIONS);
            self.seed(evaluations.clone(), 1.0);
            let directions: [_; DIRECTIONS] = std::array::from_fn(|lane| Direction {
                time: 0.0,
                states: &self.directions[lane * n..][..n],
                inputs: &self.no_inputs,
            });
            let mut rates = self.rates.chunks_exact_mut(n);
            let mut along: [_; DIRECTIONS] = std::array::from_fn(|_| Along {
                rates: rates.next().unwrap_or_default(),
                indicators: &mut [],
                outputs: &mut [],
            });
            let count = evaluations.len();
            let (directions, along) = (&directions[..count], &mut along[..count]);
            let found = evaluator.derivatives_along(time, states, directions, along);
            self.seed(evaluations.clone(), 0.0);
            found?;
            for (lane, evaluation) in evaluations.enumerate() {
                let rates = &self.rates[lane * n..][..n];
                for entry in &self.entries.columns[self.entries.range(evaluation)] {
                    self.values[*entry] = rates[self.row_of[*entry]];
                }
            }
        }
        self.is_known = true;
        Ok(())
    }

    /// Finds the pattern if the blocks have changed; the numbers are unknown then.
    fn read_blocks<S: HybridSystem + ?Sized>(&mut self, evaluator: &mut Evaluator<'_, S>) {
        self.no_inputs.resize(evaluator.system.input_count(), 0.0);
        self.now.clear();
        evaluator.system.blocks(&mut self.now);
        if self.known == self.now {
            return;
        }
        self.known.clone_from(&self.now);
        self.find_pattern();
        self.fits = self.elimination.analyse(&self.pattern);
        (self.is_known, self.shift) = (false, None);
    }

    /// Numbers of the last start, in the order of the pattern; empty if they are unknown.
    pub fn values(&self) -> &[f64] {
        if self.is_known { &self.values } else { &[] }
    }

    /// Goes on with these numbers of an earlier start. Returns false if they are not those of a
    /// matrix with the pattern of now.
    pub fn resume<S: HybridSystem + ?Sized>(
        &mut self,
        evaluator: &mut Evaluator<'_, S>,
        values: &[f64],
    ) -> bool {
        self.read_blocks(evaluator);
        if !self.fits || values.len() != self.values.len() {
            return false;
        }
        if self.values() != values {
            self.values.copy_from_slice(values);
            (self.is_known, self.shift) = (true, None);
        }
        true
    }

    /// Returns true if the numbers of an earlier start are those of the pattern of now.
    pub fn go_on<S: HybridSystem + ?Sized>(&mut self, evaluator: &mut Evaluator<'_, S>) -> bool {
        self.read_blocks(evaluator);
        self.is_known
    }

    /// Sets the columns of each of these evaluations in its direction.
    fn seed(&mut self, evaluations: std::ops::Range<usize>, value: f64) {
        let n = self.known.of_states.len();
        for (lane, evaluation) in evaluations.enumerate() {
            for column in &self.columns.columns[self.columns.range(evaluation)] {
                self.directions[lane * n + column] = value;
            }
        }
    }

    /// Writes df/dt at (t, x), after [`Self::evaluate`].
    pub fn by_time<S: HybridSystem + ?Sized>(
        &mut self,
        evaluator: &mut Evaluator<'_, S>,
        (time, states): (f64, &[f64]),
        rates: &mut [f64],
    ) -> Result<(), EvaluationError> {
        if !evaluator.system.depends_on_time() {
            rates.fill(0.0);
            return Ok(());
        }
        let direction = Direction {
            time: 1.0,
            states: &self.directions[..states.len()],
            inputs: &self.no_inputs,
        };
        let along = Along {
            rates,
            indicators: &mut [],
            outputs: &mut [],
        };
        evaluator.derivatives_along(time, states, &[direction], &mut [along])
    }

    /// Factors s 1 - J, unless the factors are those; returns false if that fails.
    pub fn factor(&mut self, shift: f64) -> bool {
        if self.shift == Some(shift) {
            return true;
        }
        let done = self.elimination.factor(shift, &self.pattern, &self.values);
        self.shift = done.then_some(shift);
        done
    }

    /// Solves with the factors, in place.
    pub fn solve(&mut self, side: &mut [f64]) {
        self.elimination.solve(side);
    }

    /// Number of evaluations along a direction that the matrix takes.
    pub fn directions(&self) -> usize {
        self.columns.count()
    }

    /// Multiplications to factor and to solve for all stages.
    pub fn multiplications(&self) -> usize {
        self.elimination.multiplications()
    }

    /// Writes the product with a vector.
    pub fn multiply(&self, vector: &[f64], product: &mut [f64]) {
        multiply((&self.pattern, &self.values), vector, product);
    }

    /// About the largest magnitude of an eigenvalue [1/s], by power iteration from a fixed vector
    /// with states in units of their nominals.
    pub fn spectral_radius(&mut self, nominals: &[f64]) -> f64 {
        let n = nominals.len();
        let vector = &mut self.directions[..n];
        let product = &mut self.rates[..n];
        for (i, (v, nominal)) in vector.iter_mut().zip(nominals).enumerate() {
            // No eigenvector of a symmetric scene.
            *v = (1.0 + 0.1 * (i % 7) as f64) * nominal;
        }
        let mut growth = 1.0;
        for step in 0..FIRST + COUNTED {
            multiply((&self.pattern, &self.values), vector, product);
            let (before, norm) = (norm(vector, nominals), norm(product, nominals));
            if step >= FIRST {
                growth *= norm / before;
            }
            if !(norm > 0.0 && norm.is_finite()) {
                break;
            }
            for (v, product) in vector.iter_mut().zip(&*product) {
                *v = product / norm;
            }
        }
        vector.fill(0.0);
        // Pairs of conjugate eigenvalues turn the vector: the norm grows by turns.
        let halvings = COUNTED.trailing_zeros();
        (0..halvings).fold(growth, |root: f64, _| root.sqrt())
    }

    /// Pattern, columns that share an evaluation, and the entries that each gives.
    fn find_pattern(&mut self) {
        let blocks = &self.known;
        let n = blocks.of_states.len();
        let count = blocks.of_states.iter().max().map_or(0, |most| most + 1);
        let mut states = vec![Vec::new(); count];
        for (state, block) in blocks.of_states.iter().enumerate() {
            states[*block].push(state);
        }
        // Blocks that the rates of a block depend on, itself among them.
        let mut sources: Vec<Vec<usize>> = (0..count).map(|block| vec![block]).collect();
        for [one, other] in &blocks.depends {
            sources[*one].push(*other);
        }
        let mut users = vec![Vec::new(); count];
        for (block, sources) in sources.iter_mut().enumerate() {
            sources.sort_unstable();
            sources.dedup();
            for source in &*sources {
                users[*source].push(block);
            }
        }
        let colours = colour(&sources, &users);
        self.pattern.clear();
        self.row_of.clear();
        let mut entries_of_column = vec![Vec::new(); n];
        for (row, block) in blocks.of_states.iter().enumerate() {
            let columns = sources[*block].iter().flat_map(|source| &states[*source]);
            for column in columns {
                entries_of_column[*column].push(self.pattern.columns.len());
                self.pattern.columns.push(*column);
                self.row_of.push(row);
            }
            self.pattern.end_row();
        }
        self.columns.clear();
        self.entries.clear();
        for alike in &colours {
            let most = alike.iter().map(|block| states[*block].len()).max();
            for place in 0..most.unwrap_or(0) {
                for column in alike.iter().filter_map(|block| states[*block].get(place)) {
                    self.columns.columns.push(*column);
                    let entries = &entries_of_column[*column];
                    self.entries.columns.extend_from_slice(entries);
                }
                self.columns.end_row();
                self.entries.end_row();
            }
        }
        self.values.resize(self.pattern.columns.len(), 0.0);
        self.directions.resize(DIRECTIONS * n, 0.0);
        self.rates.resize(DIRECTIONS * n, 0.0);
    }
}

/// Writes the product of a matrix with a vector.
fn multiply((pattern, values): (&Rows, &[f64]), vector: &[f64], product: &mut [f64]) {
    for (row, product) in product.iter_mut().enumerate() {
        let range = pattern.range(row);
        let entries = pattern.columns[range.clone()].iter();
        let terms = entries.zip(&values[range]);
        *product = terms.map(|(column, value)| value * vector[*column]).sum();
    }
}

/// Euclidean norm with states in units of their nominals.
pub(super) fn norm(vector: &[f64], nominals: &[f64]) -> f64 {
    let squares = vector.iter().zip(nominals).map(|(v, n)| (v / n) * (v / n));
    squares.sum::<f64>().sqrt()
}

/// Divides the blocks so that no block depends on two of a set, nor on one of it beside itself.
fn colour(sources: &[Vec<usize>], users: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut colours: Vec<Vec<usize>> = Vec::new();
    let mut of_blocks: Vec<Option<usize>> = vec![None; sources.len()];
    // By which block a colour was last seen taken.
    let mut taken: Vec<Option<usize>> = Vec::new();
    for block in 0..sources.len() {
        for user in &users[block] {
            for colour in sources[*user].iter().filter_map(|other| of_blocks[*other]) {
                taken[colour] = Some(block);
            }
        }
        let free = taken.iter().position(|by| *by != Some(block));
        let colour = free.unwrap_or_else(|| {
            colours.push(Vec::new());
            taken.push(None);
            colours.len() - 1
        });
        of_blocks[block] = Some(colour);
        colours[colour].push(block);
    }
    colours
}
