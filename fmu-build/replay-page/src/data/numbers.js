// Numbers as text, the same everywhere, with a point and without groups.

/** About `digits` digits, without trailing zeros; powers of ten where they are shorter. */
export function short(x, digits = 4) {
  if (Number.isNaN(x)) return "not a number";
  if (!Number.isFinite(x)) return x > 0 ? "infinite" : "-infinite";
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 1e6 || size < 1e-4) {
    const [mantissa, power] = x.toExponential(digits - 1).split("e");
    return `${trim(mantissa)}e${Number(power)}`;
  }
  return trim(x.toPrecision(digits));
}

function trim(text) {
  return text.includes(".") && !text.includes("e") ? text.replace(/\.?0+$/, "") : text;
}

/** Step of 1, 2 or 5 times a power of ten, not below `x`. */
export function niceStep(x) {
  const power = 10 ** Math.floor(Math.log10(x));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= x * (1 - 1e-9));
  return step * power;
}

/** At most about `count` round values within [low, high], with as many digits as they need. */
export function ticks(low, high, count) {
  if (!(high > low) || !Number.isFinite(high - low)) return [];
  const step = niceStep((high - low) / Math.max(count, 1));
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  const large = Math.max(Math.abs(low), Math.abs(high));
  const out = [];
  for (let i = first; i <= last && out.length < 100; i++) {
    out.push({ value: i * step, text: tickText(i * step, step, large) });
  }
  return out;
}

function tickText(value, step, large) {
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  if (large >= 1e6 || decimals > 5) {
    const digits = Math.max(0, Math.floor(Math.log10(large)) - Math.floor(Math.log10(step) + 1e-9));
    if (value === 0) return "0";
    const [mantissa, power] = value.toExponential(Math.min(digits, 12)).split("e");
    return `${trim(mantissa)}e${Number(power)}`;
  }
  return value.toFixed(decimals);
}

/** Decimals with which times of a run with this mean step can be told apart. */
export function timeDecimals(step) {
  if (!(step > 0)) return 3;
  return Math.min(9, Math.max(2, 1 - Math.floor(Math.log10(step))));
}
