import { distance } from 'fastest-levenshtein';

/** `CORS_ORIGINS` is `corsOrigins` to people. */
const simplify = (name: string): string => name.replaceAll(/[_-]/g, '').toLowerCase();

/** Returns the name that another was probably meant to be, up to so many edits; `undefined` if none is near. */
export const findNearest = (
  name: string,
  names: readonly string[],
  maxEdits = simplify(name).length / 3,
): string | undefined => {
  const simple = simplify(name);
  const [nearest] = names
    .map((known) => ({ known, edits: distance(simple, simplify(known)) }))
    .filter(({ edits }) => edits <= maxEdits)
    .toSorted((one, other) => one.edits - other.edits);
  return nearest?.known;
};
