/** A value at a time, in minutes. */
export interface Sample {
  readonly minutes: number;
  readonly value: number;
}

/** A line through samples: its slope per minute, and the slope's standard error. */
export interface Trend {
  readonly slope: number;
  readonly error: number;
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Returns the line of least squares; fewer than three samples have an infinite error. */
export const trendOf = (samples: readonly Sample[]): Trend => {
  if (samples.length < 3) return { slope: 0, error: Number.POSITIVE_INFINITY };
  const middle = meanOf(samples.map(({ minutes }) => minutes));
  const mean = meanOf(samples.map(({ value }) => value));
  const spread = samples.reduce((sum, { minutes }) => sum + (minutes - middle) ** 2, 0);
  const slope =
    samples.reduce((sum, { minutes, value }) => sum + (minutes - middle) * (value - mean), 0) /
    spread;
  const left = samples.reduce(
    (sum, { minutes, value }) => sum + (value - mean - slope * (minutes - middle)) ** 2,
    0,
  );
  return { slope, error: Math.sqrt(left / (samples.length - 2) / spread) };
};

/** A new service takes more memory for some minutes, until its code is compiled and its caches are full. */
const leastMinutes = 5;

/** Less growth than this part of the total may come from memory allocation alone. */
const materialPart = 0.02;

export type Verdict = 'flat' | 'growing' | 'not to be told';

/**
 * Returns whether a value grows in the second half of its samples: its line rises by more than twice the error and by
 * more
 * than 2 % of the value. Less than five minutes give no verdict.
 */
export const verdictOf = (samples: readonly Sample[]): Verdict => {
  const half = samples.slice(Math.floor(samples.length / 2));
  const { slope, error } = trendOf(half);
  const all = (samples.at(-1)?.minutes ?? 0) - (samples[0]?.minutes ?? 0);
  if (error === Number.POSITIVE_INFINITY || all < leastMinutes) return 'not to be told';
  const minutes = (half.at(-1)?.minutes ?? 0) - (half[0]?.minutes ?? 0);
  const isMaterial = slope * minutes > materialPart * meanOf(half.map(({ value }) => value));
  return slope > 2 * error && isMaterial ? 'growing' : 'flat';
};
