import { type ErrorDetail, invalidInput } from '../../../../shared/runtime/errors.ts';
import type { BuiltTool, InputPlace } from './built-tool.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What a call says, as the parts of a request. */
export interface ToolRequest {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Fields;
  readonly version?: number;
  readonly requestId?: string;
  /** In bytes of a long text. */
  readonly offset: number;
}

/** Names are chosen by the caller. */
const maxNameLength = 100;

/** More of them are not worth naming. */
const maxNamed = 20;

/** Farther apart, two names have nothing in common. */
const maxDistance = 3;

/** Returns how many letters differ between two names, at most `maxNameLength` long. */
const getDistance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1];
    for (let j = 1; j <= other.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (letter === other[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
};

const simplify = (name: string): string => name.toLowerCase().replaceAll(/[-_]/g, '');

/** Returns the name that was probably meant. */
const findNearest = (name: string, known: readonly string[]): string | undefined => {
  const wanted = simplify(name);
  const [nearest] = known
    .map((one) => ({ one, distance: getDistance(wanted, simplify(one)) }))
    .filter(({ one, distance }) => distance <= Math.min(maxDistance, one.length - 2))
    .toSorted((a, b) => a.distance - b.distance);
  return nearest?.one;
};

const findUnknown = (
  input: Fields,
  known: readonly string[],
  hidden: readonly string[],
): ErrorDetail[] =>
  Object.keys(input)
    .filter((name) => !known.includes(name) && !hidden.includes(name))
    .slice(0, maxNamed)
    .map((name) => {
      const field = name.slice(0, maxNameLength);
      const nearest = findNearest(field, known);
      const message = nearest
        ? `is no argument of this tool; it has ${nearest}`
        : `is no argument of this tool; it has ${known.join(', ') || 'none'}`;
      return { field, message };
    });

const has = (input: Fields, name: string): boolean => input[name] !== undefined;

/** Whether an input says something: neither `null`, a blank text nor a list of nothing else does. */
const isSaid = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.some(isSaid);
  return typeof value === 'string' ? value.trim() !== '' : value != null;
};

/** Returns what is wrong with an input that isn't one of a body, which its route checks. */
const findProblem = (place: BuiltTool['places'][string], value: unknown): string | undefined => {
  if (place === 'body') return undefined;
  if (place === 'version' || place === 'offset') {
    const least = place === 'version' ? 1 : 0;
    const isValid = Number.isSafeInteger(value) && (value as number) >= least;
    return isValid ? undefined : `must be an integer of at least ${least}`;
  }
  return ['string', 'number', 'boolean'].includes(typeof value)
    ? undefined
    : 'must be a text, a number or a boolean';
};

const pick = (
  { places, fixed }: Pick<BuiltTool, 'places' | 'fixed'>,
  place: InputPlace,
  input: Fields,
): Record<string, unknown> => ({
  ...Object.fromEntries(
    Object.entries(input).filter(
      ([name, value]) => places[name] === place && (place === 'body' || value !== undefined),
    ),
  ),
  ...fixed[place],
});

/** Whether an id is the whole link of a sealed share. */
const hasKey = (id: unknown): boolean => typeof id === 'string' && id.includes('#');

/** What is wrong with a key that reached the service, which it must not. */
const sentKey: ErrorDetail = {
  field: 'id',
  message:
    'must end before the `#`: what follows is the key of a sealed share, which the service must not get. `handbill mcp` opens sealed shares on the machine of the person',
};

const toTexts = (fields: Fields): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));

/**
 * Converts the arguments of a call to a request of the tool's route. Absent ones get their default, and `null` in an address is
 * none.
 * @throws AppError VALIDATION_ERROR for an unknown or missing argument, or one that no address can have
 */
export const toRequest = (tool: BuiltTool, given: Fields): ToolRequest => {
  const { defaults, definition, keeps = [], upload = { inputs: [], replaces: [] } } = tool;
  const unknown = findUnknown(given, Object.keys(tool.places), upload.inputs);
  if (unknown.length > 0) throw invalidInput(unknown);
  if (hasKey(given['id'])) throw invalidInput([sentKey]);
  const hidden = Object.fromEntries(upload.inputs.map((name) => [name, 'body' as const]));
  const places = { ...hidden, ...tool.places };
  const isBody = (name: string) => places[name] === 'body';
  const sent: Fields = Object.fromEntries(
    Object.entries(given).filter(([name, value]) =>
      keeps.includes(name) ? isSaid(value) : value !== null || isBody(name),
    ),
  );
  const isChosen = defaults?.unless.some((name) => isSaid(sent[name]));
  const input: Fields = defaults && !isChosen ? { ...sent, ...defaults.values } : sent;
  const replaced = has(input, 'upload') ? upload.replaces : [];
  const required = (definition.inputSchema.required ?? []).filter(
    (name) => !replaced.includes(name),
  );
  const problems = [
    ...required
      .filter((name) => !has(input, name))
      .map((field) => ({ field, message: 'is required' })),
    ...Object.entries(input).flatMap(([field, value]) => {
      const message = findProblem(places[field] ?? 'body', value);
      return message === undefined ? [] : [{ field, message }];
    }),
  ];
  if (problems.length > 0) throw invalidInput(problems);
  const { version, requestId, offset = 0 } = input;
  return {
    path: toTexts(pick({ ...tool, places }, 'path', input)),
    query: toTexts(pick({ ...tool, places }, 'query', input)),
    body: pick({ ...tool, places }, 'body', input),
    ...(typeof version === 'number' && places['version'] === 'version' && { version }),
    ...(places['requestId'] === 'requestId' &&
      requestId !== undefined && { requestId: String(requestId) }),
    offset: places['offset'] === 'offset' ? Number(offset) : 0,
  };
};
