//! Facets cut out of their planes: of the plane between two cells, or of a wall of a cell, the part where no
//! function of some is negative.

use crate::math::Real;
use crate::narrow_phase::area::facet::{FacetCorners, FacetFrame, PatchFacet};
use crate::narrow_phase::area::planes::{Half, Linear, OUTER, Polygon};
use crate::narrow_phase::area::region::Around;
use crate::narrow_phase::area::section::Ring;
use std::ops::Range;

/// Polygon that is cut, its lines, and the corners of facets.
#[derive(Clone, Debug)]
pub(super) struct Cutting<T: Real> {
    pub(super) ring: Ring,
    pub(super) polygon: Polygon,
    lines: Vec<Half<T>>,
    pub(super) corners: FacetCorners<T>,
}

impl<T: Real> Default for Cutting<T> {
    fn default() -> Self {
        Cutting {
            ring: Ring::default(),
            polygon: Polygon::default(),
            lines: Vec::new(),
            corners: FacetCorners::default(),
        }
    }
}

/// Initial capacity for corners of facets, for each line.
const CORNERS: usize = 6;

impl<T: Real> Cutting<T> {
    pub(super) fn reserve(&mut self, lines: usize) {
        self.ring.reserve(lines);
        self.polygon.reserve(lines);
        self.lines.reserve(lines);
        self.corners.places.reserve(CORNERS * lines);
        self.corners.pressures.reserve(CORNERS * lines);
        self.corners.lines.reserve(CORNERS * lines);
    }

    /// The facet on one of the planes of a cell, the part of a box where no function of the cell is negative:
    /// lines, the first of which is its pressure, planes, and others.
    pub(super) fn wall(
        &mut self,
        number: usize,
        [lines, planes, across]: [&[Linear<T>]; 3],
        within: &Around,
    ) -> Option<PatchFacet<T>> {
        let wall = &planes[number];
        let mut around = *within;
        let outside = Linear {
            gradient: -wall.gradient,
            at_0: -wall.at_0,
        };
        if !around.shrink(&outside.values()) {
            return None;
        }
        let pressure = &lines[0];
        let frame = FacetFrame::between(pressure, wall, &outside);
        let others = planes[..number].iter().chain(&planes[number + 1..]);
        let all = lines.iter().chain(across).chain(others);
        let cuts = 0..lines.len() + across.len() + planes.len() - 1;
        self.polygon.start(around.reach());
        self.facet(&frame, all, cuts, pressure, &around)
    }

    /// Returns true if lines of both cells meet at a corner of the polygon where one line would do; those of
    /// the first cell have numbers from 1 on, those of the second follow.
    pub(super) fn has_crossing(
        &self,
        frame: &FacetFrame<T>,
        planes: [&[Linear<T>]; 2],
        pressure: &Linear,
        reach: f64,
    ) -> bool {
        let (origin, axes) = frame.values();
        let none = reach * pressure.gradient.norm();
        let second = 1 + planes[0].len();
        let is_of = |line: usize, cell: usize| {
            line > 0 && line != OUTER && usize::from(line >= second) == cell
        };
        (0..self.polygon.len()).any(|k| {
            let ends = self.polygon.lines(k);
            let meets = [0, 1].map(|cell| ends.iter().any(|end| is_of(*end, cell)));
            if meets == [false; 2] {
                return false;
            }
            let [x, y] = self.polygon.place(k);
            let point = origin + axes[0] * x + axes[1] * y;
            let is_on = |line: &Linear<T>| {
                let (above, gradient) = (line.values().at(&point), line.gradient.map(Real::value));
                above * above <= reach * reach * gradient.norm_squared()
            };
            pressure.at(&point) > none
                && [1, second].iter().enumerate().any(|(cell, first)| {
                    let mut lines = (*first..).zip(planes[cell]);
                    meets[1 - cell]
                        && lines.any(|(number, line)| !ends.contains(&number) && is_on(line))
                })
        })
    }

    /// Cuts the polygon where one of the functions `cuts` is negative, and appends the corners of the facet
    /// that is left in a box that contains all points where none is.
    #[inline(always)]
    pub(super) fn facet<'a>(
        &mut self,
        frame: &FacetFrame<T>,
        lines: impl Iterator<Item = &'a Linear<T>> + Clone,
        cuts: Range<usize>,
        pressure: &Linear<T>,
        around: &Around,
    ) -> Option<PatchFacet<T>> {
        let Cutting {
            polygon,
            lines: halves,
            corners,
            ..
        } = self;
        let (origin, axes) = frame.values();
        for (number, line) in lines.clone().enumerate() {
            if !cuts.contains(&number) {
                continue;
            }
            let line = line.values();
            let (at_center, off) = line.range(&around.center, &around.half);
            let is_cut = at_center < off;
            if at_center + off < 0.0 || is_cut && !polygon.cut(&line.half(&origin, &axes), number) {
                return None;
            }
        }
        let half = |line: &Linear<T>| line.half(&frame.origin, &frame.axes);
        let line = |line: usize| lines.clone().nth(line).map(half);
        let (count, first, start) = (polygon.len(), polygon.first(), corners.places.len());
        let each = (0..count).map(|k| polygon.line(k).and_then(line).unwrap_or(Half::all()));
        halves.clear();
        halves.extend(each);
        let along = half(pressure);
        for k in 0..count {
            let k = (first + k) % count;
            let corner = polygon.corner(k, halves);
            corners.push(corner, along.at(corner), polygon.line(k).unwrap_or(0));
        }
        let facet = PatchFacet::new(*frame, corners, start, pressure);
        // What no function cuts in the box may go on outside it, alone or not at all.
        if !around.contains(&facet.middle()) {
            corners.truncate(start);
            return None;
        }
        Some(facet)
    }
}
