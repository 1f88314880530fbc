//! The Jacobian df/dx of a system, sparse by its blocks.
//!
//! Columns without a common row are found by one evaluation along the sum of their directions (A. R. Curtis,
//! M. J. D. Powell, J. K. Reid: On the estimation of sparse Jacobian matrices, J. Inst. Math. Appl. 13 (1974)
//! 117-119). Two blocks of states share evaluations if they are neither coupled nor coupled to a third one;
//! the colours of this graph are assigned greedily. So a thousand bodies that touch only the ground cost as
//! many evaluations as one.
//!
//! # Solution of (s 1 - J) x = b for a sparse matrix J with a constant pattern
//!
//! Gaussian elimination row by row without pivoting. The rows are ordered by their number of entries, rows
//! with equal number by the order of the states, in which positions precede velocities, so that the rows of
//! velocities reduce to s - J_vv - J_vx J_xv/s, the matrix of a formula for equations of second order. If a
//! pivot vanishes relative to its row the solution fails; a larger s, a shorter step, makes s 1 dominate.
//!
//! Fill-in is found once for a pattern: `analyse`. `factor` and `solve` then touch no other entry and
//! allocate nothing.

use super::evaluator::Evaluator;
use crate::hybrid::{Along, Blocks, DIRECTIONS, Direction, EvaluationError, HybridSystem};

/// Preliminary steps of the power iteration: enough for the magnitude.
const FIRST: usize = 4;
/// Counted steps, a power of two.
const COUNTED: usize = 8;

/// The matrix at one (t, x), and data of its pattern.
#[derive(Clone, Debug, Default)]
pub(super) struct Jacobian {
    /// Blocks of the known pattern, and present blocks.
    known: Blocks,
    now: Blocks,
    pattern: Rows,
    values: Vec<f64>,
    /// Columns of each evaluation, and the entries that it gives.
    columns: Rows,
    entries: Rows,
    row_of: Vec<usize>,
    elimination: Factors,
    /// Whether the factors have few enough entries.
    fits: bool,
    /// Whether `values` are of these blocks.
    is_known: bool,
    /// Shift s of the present factors.
    shift: Option<f64>,
    /// [`DIRECTIONS`] directions, an empty one of the inputs, and rates along each.
    directions: Vec<f64>,
    no_inputs: Vec<f64>,
    rates: Vec<f64>,
}

impl Jacobian {
    pub(crate) fn evaluate<S: HybridSystem + ?Sized>(
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

    /// Updates the pattern if the blocks have changed; the values are then unknown.
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

    /// Values of the last start, in the order of the pattern; empty if unknown.
    pub(crate) fn values(&self) -> &[f64] {
        if self.is_known { &self.values } else { &[] }
    }

    /// Restores the values of an earlier start. Returns false if they do not fit the present pattern.
    pub(crate) fn resume<S: HybridSystem + ?Sized>(
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

    /// Returns true if the values of an earlier start fit the present pattern.
    pub(crate) fn go_on<S: HybridSystem + ?Sized>(
        &mut self,
        evaluator: &mut Evaluator<'_, S>,
    ) -> bool {
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

    /// Computes df/dt at (t, x), after [`Self::evaluate`].
    pub(crate) fn by_time<S: HybridSystem + ?Sized>(
        &mut self,
        evaluator: &mut Evaluator<'_, S>,
        time: f64,
        states: &[f64],
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

    /// Factors s 1 - J unless already factored; returns false if that fails.
    pub(crate) fn factor(&mut self, shift: f64) -> bool {
        if self.shift == Some(shift) {
            return true;
        }
        let done = self.elimination.factor(shift, &self.pattern, &self.values);
        self.shift = done.then_some(shift);
        done
    }

    pub(crate) fn solve(&mut self, side: &mut [f64]) {
        self.elimination.solve(side);
    }

    pub(crate) fn directions(&self) -> usize {
        self.columns.count()
    }

    /// Number of multiplications to factor, and to solve for all stages.
    pub(crate) fn multiplications(&self) -> usize {
        self.elimination.multiplications()
    }

    pub(super) fn multiply(&self, vector: &[f64], product: &mut [f64]) {
        multiply(&self.pattern, &self.values, vector, product);
    }

    /// Estimate of the spectral radius [1/s] by power iteration from a fixed vector, with states in units of
    /// their nominals.
    pub(crate) fn spectral_radius(&mut self, nominals: &[f64]) -> f64 {
        let n = nominals.len();
        let vector = &mut self.directions[..n];
        let product = &mut self.rates[..n];
        for (i, (v, nominal)) in vector.iter_mut().zip(nominals).enumerate() {
            // No eigenvector of a symmetric scene.
            *v = (1.0 + 0.1 * (i % 7) as f64) * nominal;
        }
        let mut growth = 1.0;
        for step in 0..FIRST + COUNTED {
            multiply(&self.pattern, &self.values, vector, product);
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

    /// Finds the pattern, columns that share an evaluation, and the entries that each gives.
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

fn multiply(pattern: &Rows, values: &[f64], vector: &[f64], product: &mut [f64]) {
    for (row, product) in product.iter_mut().enumerate() {
        let range = pattern.range(row);
        let entries = pattern.columns[range.clone()].iter();
        let terms = entries.zip(&values[range]);
        *product = terms.map(|(column, value)| value * vector[*column]).sum();
    }
}

pub(super) fn norm(vector: &[f64], nominals: &[f64]) -> f64 {
    let squares = vector.iter().zip(nominals).map(|(v, n)| (v / n) * (v / n));
    squares.sum::<f64>().sqrt()
}

/// Colours the blocks so that no block depends on two blocks of one colour, nor on another block of its own
/// colour.
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

/// Minimum ratio of a pivot to the largest number in its row before: below it only rounding of larger numbers
/// may be left.
const LEAST_PIVOT: f64 = 1e-12;
/// Maximum number of entries of the factors, 48 MB. The ordering does not suit large piles, whose factors
/// fill up.
const MOST_ENTRIES: usize = 3_000_000;
/// Right-hand sides per step.
const STAGES: usize = 8;

/// Rows of a sparse matrix: row i has the entries `starts[i]..starts[i + 1]` of a list.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    pub starts: Vec<usize>,
    pub columns: Vec<usize>,
}

impl Rows {
    pub(crate) fn clear(&mut self) {
        self.starts.clear();
        self.starts.push(0);
        self.columns.clear();
    }

    /// Ends the row whose columns were pushed.
    pub(crate) fn end_row(&mut self) {
        self.starts.push(self.columns.len());
    }

    pub(crate) fn count(&self) -> usize {
        self.starts.len() - 1
    }

    pub(crate) fn range(&self, row: usize) -> std::ops::Range<usize> {
        self.starts[row]..self.starts[row + 1]
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Factors {
    /// Row of J at each position of the elimination, and the position of each row.
    order: Vec<usize>,
    place: Vec<usize>,
    /// Entries of the factors, by position: left of the diagonal first, then the others, in order.
    rows: Rows,
    values: Vec<f64>,
    diagonals: Vec<usize>,
    inverses: Vec<f64>,
    /// Work arrays for a row and a right-hand side.
    row: Vec<f64>,
    /// Bit for each column of a row.
    bits: Vec<u64>,
    multiplications: usize,
}

impl Factors {
    /// Number of multiplications to factor, and to solve for all stages.
    pub(crate) fn multiplications(&self) -> usize {
        self.multiplications
    }

    /// Finds the entries of the factors of a matrix with this pattern. Returns false if they are too many.
    pub(crate) fn analyse(&mut self, pattern: &Rows) -> bool {
        let n = pattern.count();
        self.order.clear();
        self.order.extend(0..n);
        self.order
            .sort_unstable_by_key(|row| (pattern.range(*row).len(), *row));
        self.place.clear();
        self.place.resize(n, 0);
        for (place, row) in self.order.iter().enumerate() {
            self.place[*row] = place;
        }
        self.rows.clear();
        self.diagonals.clear();
        self.multiplications = 0;
        self.bits.clear();
        self.bits.resize(n.div_ceil(64), 0);
        for place in 0..n {
            self.mark(place);
            for entry in pattern.range(self.order[place]) {
                self.mark(self.place[pattern.columns[entry]]);
            }
            self.fill_in(place);
            if self.rows.columns.len() > MOST_ENTRIES {
                return false;
            }
        }
        self.multiplications += STAGES * self.rows.columns.len();
        self.values.resize(self.rows.columns.len(), 0.0);
        self.inverses.resize(n, 0.0);
        self.row.resize(n, 0.0);
        true
    }

    fn mark(&mut self, column: usize) {
        self.bits[column / 64] |= 1 << (column % 64);
    }

    /// Adds the fill-in of the row at this position; moves its entries from the bits to the list.
    fn fill_in(&mut self, place: usize) {
        for word in 0..self.bits.len() {
            while self.bits[word] != 0 {
                let column = 64 * word + self.bits[word].trailing_zeros() as usize;
                self.bits[word] &= self.bits[word] - 1;
                if column == place {
                    self.diagonals.push(self.rows.columns.len());
                }
                self.rows.columns.push(column);
                if column < place {
                    self.multiplications += self.rows.starts[column + 1] - self.diagonals[column];
                    for entry in self.diagonals[column] + 1..self.rows.starts[column + 1] {
                        self.mark(self.rows.columns[entry]);
                    }
                }
            }
        }
        self.rows.end_row();
    }

    /// Factors s 1 - J with the values of J in the order of its pattern. Returns false if it is singular to
    /// rounding, or not finite.
    pub(crate) fn factor(&mut self, shift: f64, pattern: &Rows, values: &[f64]) -> bool {
        let rows = &self.rows;
        for place in 0..self.order.len() {
            let range = rows.range(place);
            let columns = &rows.columns[range.clone()];
            for column in columns {
                self.row[*column] = 0.0;
            }
            self.row[place] = shift;
            let given = pattern.range(self.order[place]);
            for (column, value) in pattern.columns[given.clone()].iter().zip(&values[given]) {
                self.row[self.place[*column]] -= value;
            }
            let largest = columns.iter().map(|column| self.row[*column].abs());
            let largest = largest.fold(0.0, f64::max);
            let diagonal = self.diagonals[place];
            for column in &rows.columns[range.start..diagonal] {
                let share = self.row[*column] * self.inverses[*column];
                self.row[*column] = share;
                if share == 0.0 {
                    continue;
                }
                let right = self.diagonals[*column] + 1..rows.starts[*column + 1];
                let entries = rows.columns[right.clone()].iter().zip(&self.values[right]);
                for (other, value) in entries {
                    self.row[*other] -= share * value;
                }
            }
            for (value, column) in self.values[range].iter_mut().zip(columns) {
                *value = self.row[*column];
            }
            let pivot = self.row[place];
            // The comparison is false for NaN.
            if !(pivot.abs() > LEAST_PIVOT * largest && pivot.is_finite()) {
                return false;
            }
            self.inverses[place] = pivot.recip();
        }
        true
    }

    pub(crate) fn solve(&mut self, side: &mut [f64]) {
        let rows = &self.rows;
        for place in 0..self.order.len() {
            let left = rows.starts[place]..self.diagonals[place];
            let entries = rows.columns[left.clone()].iter().zip(&self.values[left]);
            let known: f64 = entries.map(|(column, v)| v * self.row[*column]).sum();
            self.row[place] = side[self.order[place]] - known;
        }
        for place in (0..self.order.len()).rev() {
            let right = self.diagonals[place] + 1..rows.starts[place + 1];
            let entries = rows.columns[right.clone()].iter().zip(&self.values[right]);
            let known: f64 = entries.map(|(column, v)| v * self.row[*column]).sum();
            self.row[place] = (self.row[place] - known) * self.inverses[place];
            side[self.order[place]] = self.row[place];
        }
    }
}
