import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { type ErrorDetail, invalidInput } from '../runtime/errors.ts';

type Fields = Readonly<Record<string, unknown>>;
type Body<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;

/** What a PUT that takes a whole record does with its fields. */
export interface RecordRules {
  /** How fields are changed that it can't change; those that aren't named are set by the service. */
  readonly elsewhere?: Readonly<Record<string, string>>;
  /** Other names of a field, by the name that the record shows. */
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  /** Lists whose order means nothing. */
  readonly sets?: readonly string[];
}

/** Compares what was sent of a field with what is stored; `undefined` leaves it to deep equality. */
export type IsSame = (field: string, sent: unknown, stored: unknown) => boolean | undefined;

const byService = 'is read-only; omit it or send the current value';

const sorted = (value: unknown): unknown =>
  Array.isArray(value) ? value.map((entry) => JSON.stringify(entry)).sort() : value;

/** Ids may be sent as their digits: what was sent with those as numbers that are numbers in the record. */
const toStored = (sent: unknown, stored: unknown): unknown => {
  if (Array.isArray(sent) && Array.isArray(stored)) {
    return sent.map((one) =>
      toStored(
        one,
        stored.find((other) => String(other) === one),
      ),
    );
  }
  return typeof stored === 'number' && sent === String(stored) ? stored : sent;
};

/**
 * The body of a PUT that takes a record whole, as it was read (decisions.md#bodies): `shape` has the fields that it changes and all others that
 * `record` shows, which are accepted as they are stored.
 */
export const recordChange = <Shape extends z.ZodRawShape>(
  record: z.ZodObject,
  fields: Shape,
  { elsewhere = {}, aliases = {}, sets = [] }: RecordRules = {},
) => {
  const whyFixed = (field: string) => elsewhere[field] ?? byService;
  const describe = (field: string) =>
    `Read-only${elsewhere[field] === undefined ? '.' : `: it ${elsewhere[field]}.`}`;
  const others = [...new Set([...Object.keys(record.shape), ...Object.keys(elsewhere)])];
  const fixed = others.filter((field) => !Object.hasOwn(fields, field));
  const shapeOf = (field: string): [string, z.ZodType] => [
    field,
    z
      .unknown()
      .optional()
      .meta({ readOnly: true, description: describe(field) }),
  ];
  const shape = { ...fields, ...Object.fromEntries(fixed.map(shapeOf)) } as Shape;
  const names = Object.keys(fields).filter(
    (field) => !Object.values(aliases).some((others) => others.includes(field)),
  );

  /**
   * What of a body differs from the record as the API shows it, each field by the record's name for it.
   * @throws AppError VALIDATION_ERROR about fields that can't be changed here, and names of one field that disagree
   */
  const changes = (body: Body<Shape>, shown: object, isSame?: IsSame): Partial<Body<Shape>> => {
    const sent: Fields = body;
    const stored = shown as Fields;
    const equals = (field: string, one: unknown, other: unknown): boolean =>
      isSame?.(field, one, other) ??
      (sets.includes(field)
        ? isDeepStrictEqual(sorted(one), sorted(other))
        : isDeepStrictEqual(one, other));
    const isSent = (field: string) => sent[field] !== undefined;
    const wrong: ErrorDetail[] = [];
    for (const field of fixed) {
      if (!isSent(field)) continue;
      if (equals(field, toStored(sent[field], stored[field]), stored[field])) continue;
      const isOutdated = field === 'version' && typeof stored[field] === 'number';
      wrong.push({
        field,
        message: isOutdated ? `is now ${stored[field]}; fetch the record again` : whyFixed(field),
      });
    }
    const changed: Record<string, unknown> = {};
    for (const field of names) {
      const [first, ...rest] = [field, ...(aliases[field] ?? [])].filter(
        (name) => isSent(name) && !equals(field, sent[name], stored[field]),
      );
      if (first === undefined) continue;
      changed[field] = sent[first];
      const other = rest.find((name) => !equals(field, sent[name], sent[first]));
      if (other !== undefined) wrong.push({ field: other, message: `must equal ${first}` });
    }
    if (wrong.length > 0) throw invalidInput(wrong);
    return changed as Partial<Body<Shape>>;
  };

  return { shape, changes };
};
