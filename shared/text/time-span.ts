const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Writes a number of something, such as `1 view` or `3 views`. */
export const describeCount = (amount: number, unit: string): string =>
  `${amount} ${amount === 1 ? unit : `${unit}s`}`;

/** Writes a number of seconds in the largest unit that divides it, such as `30 days`. */
export const describeSpan = (seconds: number): string => {
  const [unit, size] = units.find(([, one]) => seconds % one === 0) ?? ['second', 1];
  return describeCount(seconds / size, unit);
};
