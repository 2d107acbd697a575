import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { type ErrorDetail, invalidInput } from '../runtime/errors.ts';

type Fields = Readonly<Record<string, unknown>>;
type Body<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;

/** How a PUT that takes a whole record handles its fields. */
export interface RecordRules {
  /** How to change fields that this PUT cannot change. Fields not listed are read-only. */
  readonly elsewhere?: Readonly<Record<string, string>>;
  /** Aliases of a field, by its name in the response. */
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  /** Lists in which order does not matter. */
  readonly sets?: readonly string[];
}

/** Compares a sent with a stored value, or returns `undefined` for deep equality. */
export type IsSame = (field: string, sent: unknown, stored: unknown) => boolean | undefined;

const readOnlyMessage = 'is read-only; omit it or send the current value';

const sorted = (value: unknown): unknown =>
  Array.isArray(value) ? value.map((entry) => JSON.stringify(entry)).sort() : value;

/** Converts ids sent as digits to numbers where the record has numbers. */
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
 * Creates the body schema of a PUT that takes a whole record (decisions.md#bodies). `shape` contains the changeable
 * fields and all other fields of `record`, which are accepted with their stored values.
 */
export const recordChange = <Shape extends z.ZodRawShape>(
  record: z.ZodObject,
  fields: Shape,
  { elsewhere = {}, aliases = {}, sets = [] }: RecordRules = {},
) => {
  const getFixedMessage = (field: string) => elsewhere[field] ?? readOnlyMessage;
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
   * Returns the fields that differ from the record in API responses, by the record's names.
   * @throws AppError VALIDATION_ERROR for changed read-only fields and conflicting aliases
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
    const invalid: ErrorDetail[] = [];
    for (const field of fixed) {
      if (!isSent(field)) continue;
      if (equals(field, toStored(sent[field], stored[field]), stored[field])) continue;
      const isOutdated = field === 'version' && typeof stored[field] === 'number';
      invalid.push({
        field,
        message: isOutdated
          ? `is now ${stored[field]}; fetch the record again`
          : getFixedMessage(field),
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
      if (other !== undefined) invalid.push({ field: other, message: `must equal ${first}` });
    }
    if (invalid.length > 0) throw invalidInput(invalid);
    return changed as Partial<Body<Shape>>;
  };

  return { shape, changes };
};
