/** Writes a path with those parameters that have a value. */
export const writeUrl = (
  path: string,
  parameters: Readonly<Record<string, string | number | undefined>>,
): string => {
  const set = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return set.length === 0 ? path : `${path}?${new URLSearchParams(set)}`;
};

/** Returns the value of a parameter if it is one of those, or else the first. */
export const chooseOne = <Value extends string>(
  values: readonly [Value, ...Value[]],
  value: string | null,
): Value => values.find((candidate) => candidate === value) ?? values[0];

/** Returns the positive integer of a parameter. */
export const toInteger = (value: string | null): number | undefined =>
  value !== null && /^[1-9]\d{0,15}$/.test(value) && Number.isSafeInteger(Number(value))
    ? Number(value)
    : undefined;
