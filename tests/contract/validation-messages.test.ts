// Every route words what is wrong with each of its fields in one form; api/* say which limits a field has.

import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { $ZodAsyncError } from 'zod/v4/core';
import { hosts, listRoutes } from '../../functions/routes.ts';
import type { Host } from '../../shared/http/host.ts';
import type { Route } from '../../shared/http/route.ts';
import { describeIssue, describeIssues } from '../../shared/input/validation-messages.ts';
import { type Answer, type CallOptions, call } from '../support/service/call.ts';
import { useTable } from '../support/table/table.ts';
import { newUserOf, type Person } from '../support/users/test-users.ts';

useTable();

const routes = (Object.keys(hosts) as Host[])
  .flatMap(listRoutes)
  .filter(({ path, produces }) => path.startsWith('/api/') && produces === 'json');

const zodWords =
  /invalid (input|option|key|element|string|number|date|url|email)|expected|received|too (small|big)|unrecognized|nan\b|undefined|\[object/i;

/** Matches a detail that completes "<field> …": lower case, no full stop. */
const detailForm =
  /^(must|is|are|has|have|can|contains|takes|ends|reaches|needs|would|was) .*[^.]$/su;

/** The general messages of invalid links and invitations. */
const ownSentences = [
  'Registration requires an invitation.',
  'This link is invalid or expired. Request a new one.',
];

interface Detail {
  readonly field: string;
  readonly message: string;
}

/** Returns the problems in the wording of a response. */
const complaintsAbout = ({ status, body }: Answer): string[] => {
  if (status >= 500) return [`answered ${status}`];
  if (status !== 400) return [];
  const { message, details } = body.error as { message: string; details: Detail[] };
  const fields = details.map(({ field }) => field);
  const [first] = details;
  const isSentence =
    message === `Invalid ${first?.field}: ${first?.message}.` || ownSentences.includes(message);
  return [
    ...(isSentence ? [] : [`message: ${message}`]),
    ...(new Set(fields).size === fields.length ? [] : [`repeats a field: ${fields}`]),
    ...details
      .filter((one) => !detailForm.test(one.message) || zodWords.test(one.message))
      .map((one) => `${one.field} ${one.message}`),
  ];
};

const values: readonly unknown[] = [
  ...[7, -1, 1.5, 1e300, '', ' ', 'x', '\u0000', 'x'.repeat(70_000), true, false, null],
  ...[[], [7], ['x'], [''], [null], [{}], [[]], Array(300).fill('x'), Array(60).fill({ id: 'x' })],
  ...[{}, { id: 'x' }, { x: {} }, undefined],
];

const texts = [
  '',
  ' ',
  'x',
  '-1',
  '1.5',
  '1e99',
  'true',
  'null',
  '[]',
  '\u0000',
  'x'.repeat(5_000),
];

const bodies: readonly unknown[] = ['', '{', 'null', '[]', '7', '"x"', 'true', '[[]]'];

const namesIn = (schema: z.ZodType | undefined): string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];

const params = { id: '244212480000001', start: '2026-01-01', token: 'x' };

/** Returns requests with one invalid field each. */
const requestsOf = (route: Route): { readonly field: string; readonly options: CallOptions }[] => {
  const isJson = route.accepts === 'json' && route.body !== undefined;
  return [
    ...(isJson ? bodies.map((body) => ({ field: 'body', options: { body } })) : []),
    ...(isJson ? namesIn(route.body) : []).flatMap((field) =>
      values.map((value) => ({ field, options: { body: { [field]: value } } })),
    ),
    ...namesIn(route.query).flatMap((field) =>
      texts.map((text) => ({ field, options: { query: { [field]: text } } })),
    ),
    ...namesIn(route.headers).map((field) => ({
      field,
      options: { headers: { [field]: 'x'.repeat(5_000) } },
    })),
    ...(isJson
      ? values.map((value) => ({
          field: 'all fields',
          options: {
            body: Object.fromEntries(namesIn(route.body).map((name) => [name, value])),
          },
        }))
      : []),
  ];
};

const refusalOf = (schema: z.ZodType, value: unknown): readonly Detail[] => {
  const result = schema.safeParse(value, { reportInput: true, error: describeIssue });
  return describeIssues(result.error?.issues ?? [], 'body');
};

/** What the schema says of a request: another request of which it says the same gets the same response. */
const refusalBySchema = (route: Route, { body, query }: CallOptions): string | undefined => {
  const [schema, value] = query === undefined ? [route.body, body] : [route.query, query];
  if (schema === undefined || typeof value !== 'object') return undefined;
  try {
    const details = refusalOf(schema, JSON.parse(JSON.stringify(value)));
    return details.length > 0 ? JSON.stringify(details) : undefined;
  } catch (error) {
    // That of a new password has to wait.
    if (error instanceof $ZodAsyncError) return undefined;
    throw error;
  }
};

const taking = routes.filter((route) => requestsOf(route).length > 0);

describe.each(taking.map((route) => ({ endpoint: `${route.method} ${route.path}`, route })))(
  '$endpoint',
  ({ endpoint, route }) => {
    let client: Person;
    beforeAll(async () => {
      client = await newUserOf('super_admin');
    });

    it('returns one well-formed message per invalid field', async () => {
      const complaints: unknown[] = [];
      const asked = new Set<string>();
      for (const { field, options } of requestsOf(route)) {
        const refusal = refusalBySchema(route, options);
        if (refusal !== undefined && asked.has(refusal)) continue;
        if (refusal !== undefined) asked.add(refusal);
        const response = await call(endpoint, { params, token: client.token, ...options });
        // The request ended its own session or deleted its own user.
        if (response.status === 401) client = await newUserOf('super_admin');
        for (const complaint of complaintsAbout(response)) complaints.push([field, complaint]);
      }
      expect(complaints).toEqual([]);
    });
  },
);

describe('the wording of an issue', () => {
  it.each([
    [z.string(), undefined, 'is required'],
    [z.enum(['a', 'b']), undefined, 'is required'],
    [z.union([z.string(), z.number()]), undefined, 'is required'],
    [z.string(), 7, 'must be a string'],
    [z.number(), 'x', 'must be a number'],
    [z.number(), Number.NaN, 'must be a number'],
    [z.int(), 1.5, 'must be an integer'],
    [z.boolean(), 'x', 'must be true or false'],
    [z.array(z.string()), {}, 'must be an array'],
    [z.object({}), [], 'must be an object'],
    [z.null(), 1, 'must be null'],
    [z.never(), 1, 'must not be set'],
    [z.symbol(), 1, 'has the wrong type'],
    [z.string().min(1), '', 'must not be empty'],
    [z.string().min(2), '', 'must be at least 2 characters'],
    [z.string().max(1), 'xx', 'must be at most 1 character'],
    [z.string().length(3), 'x', 'must be exactly 3 characters'],
    [z.array(z.int()).min(2), [], 'must contain at least 2 items'],
    [z.array(z.int()).max(1), [1, 2], 'must contain at most 1 item'],
    [z.number().min(1), 0, 'must be at least 1'],
    [z.number().gt(1), 0, 'must be more than 1'],
    [z.number().max(1), 2, 'must be at most 1'],
    [z.number().lt(1), 2, 'must be less than 1'],
    [z.number().multipleOf(5), 3, 'must be a multiple of 5'],
    [z.email(), 'x', 'must be a valid email address'],
    [z.url(), 'x', 'must be a URL'],
    [z.iso.datetime(), 'x', 'must be a time such as 2026-01-31T12:00:00Z'],
    [z.iso.date(), 'x', 'must be a date such as 2026-01-31'],
    [z.string().regex(/y/), 'x', 'has the wrong format'],
    [z.string().startsWith('y'), 'x', 'must start with "y"'],
    [z.string().endsWith('y'), 'x', 'must end with "y"'],
    [z.string().includes('y'), 'x', 'must contain "y"'],
    [z.literal('a'), 'x', 'must be a'],
    [z.enum(['a', 'b']), 'x', 'must be one of a, b'],
    [z.string().refine(() => false), 'x', 'is invalid'],
    [z.string().refine(() => false, 'must rhyme'), 'x', 'must rhyme'],
    [z.xor([z.string(), z.string().max(9)]), 'x', 'is ambiguous'],
    [z.union([z.number(), z.string()]), true, 'must be a number or a string'],
    [z.union([z.number(), z.string().max(1)]), 'xx', 'must be at most 1 character'],
  ] as const)('words issue %# as expected', (schema, value, message) => {
    expect(refusalOf(schema, value)).toEqual([{ field: 'body', message }]);
  });

  it('names nested fields by their paths, including in unions', () => {
    const attendees = z.array(z.union([z.int(), z.object({ id: z.int(), name: z.string() })]));
    expect(refusalOf(z.object({ attendees }), { attendees: [7, { id: 'x' }, true] })).toEqual([
      { field: 'attendees.1.id', message: 'must be a number' },
      { field: 'attendees.1.name', message: 'is required' },
      { field: 'attendees.2', message: 'must be a number or an object' },
    ]);
    const kinds = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('a') }),
      z.object({ kind: z.literal('b') }),
    ]);
    expect(refusalOf(kinds, { kind: 'c' })).toEqual([
      { field: 'kind', message: 'must be one of a, b' },
    ]);
    expect(refusalOf(z.strictObject({}), { x: 1, y: 2 })).toEqual([
      { field: 'x', message: 'is unknown' },
      { field: 'y', message: 'is unknown' },
    ]);
    expect(refusalOf(z.record(z.string().max(1), z.int()), { xx: 1 })).toEqual([
      { field: 'xx', message: 'has an invalid name' },
    ]);
    expect(refusalOf(z.map(z.object({}), z.int()), new Map([[{}, 'x']]))).toEqual([
      { field: 'body', message: 'contains an invalid value' },
    ]);
  });

  it('names each field once, at most 50, with shortened names', () => {
    const twice = z.string().min(2).regex(/y/);
    expect(refusalOf(z.object({ a: twice }), { a: 'x' })).toEqual([
      { field: 'a', message: 'must be at least 2 characters' },
    ]);
    const many = refusalOf(z.array(z.string()), Array(100_000).fill(7));
    expect(many).toHaveLength(50);
    const [long] = refusalOf(z.record(z.string(), z.int()), { ['x'.repeat(5_000)]: 'x' });
    expect(long?.field).toHaveLength(100);
  });
});
