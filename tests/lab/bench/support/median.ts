/** Returns the middle value, or the mean of the two in the middle; NaN without values. */
export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = Number.NaN, high = Number.NaN] = [Math.ceil(middle) - 1, Math.floor(middle)].map(
    (at) => sorted[at],
  );
  return (low + high) / 2;
};
