//! Solves (s 1 - J) x = b for a sparse matrix J whose pattern stays while its numbers change.
//!
//! Gauss's elimination row by row without exchange of rows. The rows are taken in the order of
//! their number of entries, those of equal number in the order of the states, in which positions
//! precede velocities, so that what is left of the rows of velocities is s - J_vv - J_vx J_xv/s, the
//! matrix that a formula for equations of second order would have. Where a pivot vanishes beside its row the system is not
//! solved; with a larger s, a shorter step, it is, since s 1 takes over.
//!
//! Which entries arise is found once for a pattern: `analyse`. `factor` and `solve` then touch no
//! other entry and allocate nothing.

/// Part of the largest number in its row before that a pivot must have: below it nothing but
/// rounding of larger numbers may be left.
const LEAST_PIVOT: f64 = 1e-12;
/// Most entries of the factors, 48 MB. The order is not made for large piles, whose factors fill up.
const MOST_ENTRIES: usize = 3_000_000;
/// Right sides that a step solves for.
const STAGES: usize = 8;

/// Rows of a sparse matrix: of row i the entries `starts[i]..starts[i + 1]` of a list.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    pub starts: Vec<usize>,
    pub columns: Vec<usize>,
}

impl Rows {
    /// No rows.
    pub fn clear(&mut self) {
        self.starts.clear();
        self.starts.push(0);
        self.columns.clear();
    }

    /// Ends the row whose columns were pushed.
    pub fn end_row(&mut self) {
        self.starts.push(self.columns.len());
    }

    /// Number of rows.
    pub fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// Entries of a row.
    pub fn range(&self, row: usize) -> std::ops::Range<usize> {
        self.starts[row]..self.starts[row + 1]
    }
}

/// The factors of s 1 - J.
#[derive(Clone, Debug, Default)]
pub(super) struct Elimination {
    /// Row of J at each place of the elimination, and the place of each row.
    order: Vec<usize>,
    place: Vec<usize>,
    /// Entries of the factors, by place: those left of the diagonal, then the others, in order.
    rows: Rows,
    values: Vec<f64>,
    /// Index of the diagonal in each row.
    diagonals: Vec<usize>,
    inverses: Vec<f64>,
    /// A row on its way, a right side on its way.
    row: Vec<f64>,
    /// Bit for each column of a row.
    bits: Vec<u64>,
    multiplications: usize,
}

impl Elimination {
    /// Multiplications to factor and to solve for all stages.
    pub fn multiplications(&self) -> usize {
        self.multiplications
    }

    /// Finds the entries of the factors of a matrix with this pattern. Returns false if they are too
    /// many.
    pub fn analyse(&mut self, pattern: &Rows) -> bool {
        let n = pattern.count();
        self.order.clear();
        self.order.extend(0..n);
        self.order
            .sort_by_key(|row| (pattern.range(*row).len(), *row));
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

    /// Adds the entries that arise in the row of this place, moves them from the bits to the list.
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

    /// Factors s 1 - J with the values of J in the order of its pattern. Returns false if it is
    /// singular as far as rounding can tell, or not finite.
    pub fn factor(&mut self, shift: f64, pattern: &Rows, values: &[f64]) -> bool {
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

    /// Makes the right side the solution.
    pub fn solve(&mut self, side: &mut [f64]) {
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
