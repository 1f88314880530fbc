// A curve of many points as a path of few: where more than some points fall on one column of pixels,
// only the first, lowest, highest and last of them are kept, so that no peak is lost.
import { lastAtOrBefore } from "../data/run.js";

/** Indices of the points to draw within [from, to], one before and one after included. */
export function visibleRange(times, from, to) {
  const first = Math.max(0, lastAtOrBefore(times, from));
  const last = Math.min(times.length - 1, lastAtOrBefore(times, to) + 1);
  return [first, last];
}

/** Least and largest finite value at the indices first..=last, or null. */
export function bounds(values, first, last) {
  let low = Infinity;
  let high = -Infinity;
  for (let i = first; i <= last; i++) {
    const v = values[i];
    if (v < low && v > -Infinity) low = v;
    if (v > high && v < Infinity) high = v;
  }
  return low <= high ? [low, high] : null;
}

/** Indices of the points of the path, in order, for about `columns` pixels. */
export function decimate(times, values, first, last, columns) {
  const count = last - first + 1;
  if (count <= 4 * columns) return Array.from({ length: count }, (_, i) => first + i);
  const out = [];
  const start = times[first];
  const width = (times[last] - start) / columns;
  let i = first;
  for (let column = 1; column <= columns && i <= last; column++) {
    const end = column === columns ? Infinity : start + column * width;
    const begin = i;
    let low = i;
    let high = i;
    let gap = i; // of a value that is not a number: a gap stays a gap
    for (; i <= last && times[i] < end; i++) {
      if (!Number.isFinite(values[i])) gap = i;
      if (!(values[i] >= values[low]) && Number.isFinite(values[i])) low = i;
      if (!(values[i] <= values[high]) && Number.isFinite(values[i])) high = i;
    }
    if (i === begin) continue;
    const picked = [begin, low, high, gap, i - 1].sort((a, b) => a - b);
    for (const index of picked) if (index !== out[out.length - 1]) out.push(index);
  }
  return out;
}
