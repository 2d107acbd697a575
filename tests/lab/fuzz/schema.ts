import * as fc from 'fast-check';
import type { Records } from './records.ts';
import { plainText, valuesByName, wildText } from './values.ts';

/** The part of JSON Schema that the document uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly readOnly?: boolean;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** `plain` is realistic; `wild` is anything the schema allows. */
export type Manner = 'plain' | 'wild';

const edges = (least: number, most: number): fc.Arbitrary<number> =>
  fc.oneof(fc.integer({ min: least, max: most }), fc.constantFrom(least, most));

const byPattern = new Map<string, fc.Arbitrary<string> | undefined>();

/** Creates texts of a pattern, except for negated classes: fast-check would list all other characters for seconds. */
const makePatterned = (pattern: string): fc.Arbitrary<string> | undefined => {
  try {
    return pattern.includes('[^') ? undefined : fc.stringMatching(new RegExp(pattern, 'u'));
  } catch {
    return undefined;
  }
};

const patterned = (pattern: string): fc.Arbitrary<string> | undefined => {
  if (!byPattern.has(pattern)) byPattern.set(pattern, makePatterned(pattern));
  return byPattern.get(pattern);
};

const ofFormat: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'date-time': fc.constantFrom(
    '2026-05-04T10:00:00Z',
    '2027-12-31T23:59:59.999Z',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
    '2024-02-29T00:00:00+14:00',
  ),
  date: fc.constantFrom('2026-05-04', '0000-01-01', '9999-12-31', '2024-02-29'),
  uri: fc.constantFrom('https://example.com/', 'http://a', 'javascript:alert(1)', 'urn:x:y'),
};

const text = (
  { format = '', pattern, minLength = 0, maxLength = 300 }: Schema,
  manner: Manner,
): fc.Arbitrary<string> => {
  const special = ofFormat[format] ?? (pattern === undefined ? undefined : patterned(pattern));
  if (special) return special;
  if (manner === 'plain') return plainText(minLength, maxLength);
  const [least, most] = [minLength, Math.min(maxLength, 12_000)];
  const fitting = (each: string) => each.padEnd(least, '.').slice(0, most);
  return fc.oneof(
    wildText.map(fitting),
    fc.constantFrom('y'.repeat(most), 'y'.repeat(least), '\u{1F600}'.repeat(most >> 1)),
    plainText(minLength, maxLength),
  );
};

const whole = (schema: Schema): fc.Arbitrary<number> => {
  const least = schema.minimum ?? (schema.exclusiveMinimum ?? -1_000) + 1;
  const most = schema.maximum ?? 2 ** 53 - 1;
  return fc.oneof(edges(least, most), edges(least, Math.min(most, least + 100)));
};

/** Fields with the same meaning; requests contain only the first. */
const aliases = new Set([
  'startAt',
  'startTime',
  'endAt',
  'endTime',
  'recipientId',
  'receiverIds',
  'to',
]);

/** Optional in the schema because of other names or additional rules, but usual in requests. */
const usual = new Set(['title', 'start', 'end', 'recipients', 'confirmPassword']);

const isAlias = (name: string, names: readonly string[]): boolean =>
  aliases.has(name) || (name === 'name' && names.includes('title'));

/** Creates arbitraries from schemas, with the ids that a run knows. */
export const createArbitraries = (schemas: Readonly<Record<string, Schema>>, records: Records) => {
  const named = valuesByName(records);

  const resolve = (schema: Schema): Schema =>
    schema.$ref === undefined
      ? schema
      : resolve(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});

  const object = (schema: Schema, manner: Manner): fc.Arbitrary<unknown> => {
    const names = Object.keys(schema.properties ?? {});
    const properties = Object.entries(schema.properties ?? {}).filter(
      ([name, each]) => manner === 'wild' || !(each.readOnly || isAlias(name, names)),
    );
    const model = properties.map(([name, each]) => {
      const isNeeded = schema.required?.includes(name) || (manner === 'plain' && usual.has(name));
      const value = of(each, manner, name);
      const share = manner === 'plain' ? 2 : 1;
      return [
        name,
        isNeeded
          ? value
          : fc.oneof(
              { withCrossShrink: true },
              { arbitrary: fc.constant(undefined), weight: share },
              { arbitrary: value, weight: 1 },
            ),
      ] as const;
    });
    return fc
      .record(Object.fromEntries(model))
      .map((fields) =>
        Object.fromEntries(Object.entries(fields).filter(([, one]) => one !== undefined)),
      );
  };

  const byType = (
    type: string,
    schema: Schema,
    manner: Manner,
    name: string,
  ): fc.Arbitrary<unknown> => {
    if (type === 'string') return text(schema, manner);
    if (type === 'integer') return whole(schema);
    if (type === 'number')
      return fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer());
    if (type === 'boolean') return fc.boolean();
    if (type === 'null') return fc.constant(null);
    if (type === 'array') {
      const { minItems: minLength = 0, maxItems = 5 } = schema;
      const maxLength = Math.min(maxItems, 8);
      const items = of(schema.items ?? {}, manner, name);
      const many = fc.array(items, { minLength, maxLength });
      return manner === 'plain'
        ? many
        : fc.oneof(
            many,
            many.map((list) => [...list, ...list].slice(0, maxItems)),
          );
    }
    return object(schema, manner);
  };

  /** Creates values that mostly fit the schema, and are realistic for fields with a known meaning. */
  const of = (given: Schema, manner: Manner, name = ''): fc.Arbitrary<unknown> => {
    const schema = resolve(given);
    const hinted = Object.hasOwn(named, name) ? named[name] : undefined;
    const isClosed = schema.enum !== undefined || schema.const !== undefined;
    const whatever = fromSchema(schema, manner, name);
    if (!hinted || isClosed || (schema.items === undefined && schema.type === 'object'))
      return whatever;
    return manner === 'plain' ? hinted : fc.oneof(hinted, whatever);
  };

  const fromSchema = (schema: Schema, manner: Manner, name: string): fc.Arbitrary<unknown> => {
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum) return fc.constantFrom(...schema.enum);
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices) {
      const fitting = manner === 'plain' ? choices.filter(({ type }) => type !== 'null') : choices;
      return fc.oneof(...fitting.map((each) => fromSchema(resolve(each), manner, name)));
    }
    if (schema.type === undefined) return schema.properties ? object(schema, manner) : wildText;
    const types = [schema.type].flat().filter((type) => manner === 'wild' || type !== 'null');
    return fc.oneof(...types.map((type) => byType(type, schema, manner, name)));
  };

  return {
    of,
    /** Returns the names of an object's fields. */
    namesOf: (schema: Schema): string[] => Object.keys(resolve(schema).properties ?? {}),
  };
};
