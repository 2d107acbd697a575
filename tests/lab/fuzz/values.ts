import * as fc from 'fast-check';
import type { Kind, Records } from './records.ts';

/** The password of all users of a run; no response and no log may contain it. */
export const password = 'fuzz-horse-battery';
const sharePassword = 'Fz9Kq7';

/** Values that no client may set. A response that contains one shows that a server's field was accepted. */
export const planted = {
  text: 'zz-planted-by-a-client',
  id: 1_234_567_890_123,
  time: '1999-12-31T23:59:58.123Z',
  version: 987_654_321,
} as const;

/** Fields that only the server sets, and an unknown one. */
export const foreignFields: Readonly<Record<string, unknown>> = {
  zzUnknown: planted.text,
  id: planted.id,
  pk: planted.text,
  sk: planted.text,
  version: planted.version,
  createdAt: planted.time,
  updated_at: planted.time,
  deletedAt: planted.time,
  author_id: planted.id,
  ownerId: planted.id,
  userId: planted.id,
  senderId: planted.id,
  passwordHash: planted.text,
  views: planted.version,
};

/** Texts that often break parsers: terminators, directions, surrogates, names of the language. */
const hardTexts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\u202Eevil\u202C',
  '\uD800',
  'a\uDC00b',
  '\u{1F469}\u200D\u{1F680}',
  '\uFEFF',
  'ﷺ',
  'é',
  '%00',
  '%',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  "'; DROP TABLE users; --",
  '{{7*7}}',
  '__proto__',
  'constructor',
  'null',
  'NaN',
  '-0',
  '1e999',
  '9'.repeat(40),
  'x'.repeat(10_240),
  '\u{1F600}'.repeat(300),
  '\r\nSet-Cookie: a=b',
];

const hardTimes = [
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '+275760-09-13T00:00:00.000Z',
  '+275760-09-13T00:00:00.001Z',
  '-271821-04-20T00:00:00.000Z',
  '2024-02-29',
  '2025-02-29',
  '2026-03-29T02:30:00',
  '2026-11-21T12:00:00+23:59',
  '2026-11-21T24:00:00Z',
  '2026-11-21T23:59:60Z',
  '1970-01-01',
  '2026-13-01',
  'now',
];

const hardNumbers = [
  0,
  -0,
  -1,
  1,
  0.1,
  1e-320,
  5e-324,
  1e21,
  1e308,
  -1e308,
  2 ** 31,
  2 ** 53 - 1,
  2 ** 53,
  2 ** 53 + 2,
  2 ** 63,
];

const nested = (depth: number): unknown => {
  let value: unknown = 1;
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { a: value };
  return value;
};

// fast-check's own unit of all code points takes 6 s to create.
const codePoints = fc
  .array(fc.integer({ min: 0, max: 0x10_ff_ff }), { maxLength: 40 })
  .map((points) => String.fromCodePoint(...points));

/** Any text. */
export const wildText: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: fc.constantFrom(...hardTexts), weight: 4 },
  { arbitrary: fc.constantFrom(...hardTimes), weight: 1 },
  { arbitrary: codePoints, weight: 1 },
  { arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }), weight: 1 },
  { arbitrary: fc.string({ maxLength: 200 }), weight: 1 },
);

/** Any JSON value. */
export const wildValue: fc.Arbitrary<unknown> = fc.oneof(
  wildText,
  fc.constantFrom<unknown>(...hardNumbers, null, true, false, [], {}, [[]], ['', '']),
  fc.constantFrom(nested(3), nested(400), Array(2_000).fill('a')),
  fc.jsonValue({ maxDepth: 2 }),
);

/** A text that is valid everywhere. */
export const plainText = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom('plain', 'words', 'of', 'a', 'person', 'tomorrow', 'Zoë'), {
      minLength: 1,
      maxLength: 4,
    })
    .map((words) => words.join(' ').padEnd(minLength, 'x').slice(0, Math.max(1, maxLength)).trim());

const day = fc.integer({ min: 1, max: 28 });
const timeIn = (month: string) =>
  fc
    .tuple(day, fc.integer({ min: 0, max: 23 }))
    .map(
      ([d, h]) =>
        `2027-${month}-${String(d).padStart(2, '0')}T${String(h).padStart(2, '0')}:30:00Z`,
    );

/** An id of this kind that the run knows; rarely a missing one. */
export const knownId = (records: Records, kind: Kind): fc.Arbitrary<string> =>
  fc
    .tuple(fc.nat(), fc.nat({ max: 19 }))
    .map(([at, rare]) => (rare === 0 ? undefined : records.pick(kind, at)) ?? '4711');

const idOf = (records: Records, kind: Kind) => knownId(records, kind).map(Number);

/** Realistic values by field name, for any body or query. */
export const valuesByName = (records: Records): Readonly<Record<string, fc.Arbitrary<unknown>>> => {
  const user = idOf(records, 'user');
  const users = fc.array(user, { minLength: 1, maxLength: 3 });
  const message = idOf(records, 'message');
  const start = timeIn('03');
  const end = timeIn('04');
  return {
    email: fc.oneof(
      fc.nat({ max: 1e9 }).map((n) => `fuzz-${n}@example.com`),
      fc.nat().map((at) => records.pick('email', at) ?? 'nobody@example.com'),
    ),
    username: fc.nat({ max: 1e9 }).map((n) => `fuzz${n}`),
    password: fc.constantFrom(password, sharePassword),
    confirmPassword: fc.constant(password),
    currentPassword: fc.constant(password),
    refreshToken: fc.nat().map((at) => records.pick('refreshToken', at) ?? 'none'),
    token: fc.constantFrom('', '1.abc', `1.${'A'.repeat(43)}`),
    timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'America/Sao_Paulo'),
    permissions: fc.subarray(['documents:view', 'files:view', 'dashboard:view']),
    avatar: fc.constant('https://example.com/a.png'),
    phone: fc.constant('+49 30 1234567'),
    userIds: users,
    sharedWith: users,
    recipients: users,
    recipientId: user,
    receiverIds: users,
    to: users,
    attendees: users,
    transferTo: user,
    author: user,
    actor: user,
    subject: fc.nat().map((at) => `user:${records.pick('user', at) ?? 1}`),
    replyTo: message,
    conversationId: message,
    start,
    startAt: start,
    startTime: start,
    end,
    endAt: end,
    endTime: end,
    from: start,
    expiresAt: start,
    rrule: fc.constantFrom('FREQ=DAILY;COUNT=5', 'FREQ=WEEKLY;BYDAY=MO,FR', 'FREQ=MONTHLY;COUNT=3'),
    exdates: fc.array(start, { maxLength: 2 }),
    color: fc.constantFrom('#ff0000', 'teal'),
    soldAt: fc.constantFrom('2026-05-04T10:00:00Z', '2026-05-04'),
    amount: fc.constantFrom(12.5, '19.99', 100),
    cost: fc.constantFrom(1, '2.50'),
    currency: fc.constantFrom('EUR', 'USD'),
    externalId: fc.nat().map((n) => `sale-${n}`),
    type: fc.constantFrom('text', 'image/png', 'meeting', 'task'),
    size: fc.nat({ max: 1_000_000 }),
    checksum: fc.constant('ab'.repeat(32)),
    folder: fc.constantFrom('', 'Photos'),
    cursor: fc.nat().map((at) => records.pick('cursor', at) ?? ''),
    id: knownId(records, 'share'),
    file: fc.constantFrom('ui.css', 'nothing.css'),
  };
};
