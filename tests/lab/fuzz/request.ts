import * as fc from 'fast-check';
import { type CallerName, callerNames } from './callers.ts';
import type { Operation, Parameter, Place } from './operations.ts';
import { kindOfPath, type Records } from './records.ts';
import type { createArbitraries, Manner } from './schema.ts';
import { pathOf, type Sent } from './send.ts';
import { foreignFields, knownId, wildText, wildValue } from './values.ts';

/** A generated request. */
export interface FuzzRequest {
  readonly operation: Operation;
  readonly caller: CallerName;
  /** Prefers the record's owner as the caller, if known. */
  readonly isByOwner: boolean;
  readonly manner: Manner | 'broken';
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as JSON or as a form. */
  readonly body?: unknown;
  /** Replaces the body, unparsed. */
  readonly rawBody?: string | undefined;
  /** The body contains additional fields that only the server may set. */
  readonly isForeign: boolean;
}

type Texts = Readonly<Record<string, string>>;

const asText = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);

const boundary = 'fuzz-boundary';

const multipart = (body: unknown): string => {
  const fields = Object.entries((body ?? {}) as Record<string, unknown>);
  const parts = fields.map(([name, value]) => {
    const isFile = name === 'file';
    const filename = isFile
      ? `; filename="${asText(value)
          .slice(0, 60)
          .replace(/["\r\n]/g, '')}.txt"`
      : '';
    return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${filename}\r\n${isFile ? 'Content-Type: text/plain\r\n' : ''}\r\n${asText(value)}\r\n`;
  });
  return `${parts.join('')}--${boundary}--\r\n`;
};

const contentTypes = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: `multipart/form-data; boundary=${boundary}`,
} as const;

const bodyText = ({ operation, body, rawBody }: FuzzRequest): string | undefined => {
  if (rawBody !== undefined) return rawBody;
  if (body === undefined) return undefined;
  if (operation.accepts === 'json') return JSON.stringify(body);
  if (operation.accepts === 'multipart') return multipart(body);
  const fields = Object.entries((body ?? {}) as Record<string, unknown>);
  return new URLSearchParams(fields.map(([name, value]) => [name, asText(value)])).toString();
};

/** Returns the request in the form of the gateway. */
export const toSent = (request: FuzzRequest, token: string | undefined): Sent => {
  const { operation, params, query, headers } = request;
  const body = bodyText(request);
  const type = body === undefined ? {} : { 'content-type': contentTypes[operation.accepts] };
  const { method, path } = operation;
  return { method, path, params, query, headers: { ...type, ...headers }, body, token };
};

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Returns a shell command that sends the request to the local service. */
export const toCurl = (request: FuzzRequest): string => {
  const sent = toSent(request, undefined);
  const { method, query, headers = {}, body } = sent;
  const search = new URLSearchParams(query).toString();
  const url = `http://localhost:3000${pathOf(sent)}${search && `?${search}`}`;
  const isSigned = request.caller !== 'nobody';
  return [
    `curl -X ${method} ${quoted(url)}`,
    ...(isSigned ? [`-H "authorization: Bearer $TOKEN_OF_${request.caller}"`] : []),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-binary ${quoted(body)}`]),
  ].join(' ');
};

/** Changes a valid body into an invalid one. */
type Breaking = (body: unknown, value: unknown, at: number) => unknown;

/** Replaces the value of the field at an index, or removes the field without a value. */
const changeField =
  (change: (value: unknown, other: unknown, name: string) => unknown): Breaking =>
  (body, other, at) => {
    if (typeof body !== 'object' || body === null) return other;
    const fields: Record<string, unknown> = { ...body };
    const names = Object.keys(fields);
    const name = names[at % Math.max(1, names.length)] ?? 'name';
    return { ...fields, [name]: change(fields[name], other, name) };
  };

const breakings: readonly Breaking[] = [
  changeField(() => undefined),
  changeField((_, other) => other),
  changeField((_, other) => other),
  changeField(() => null),
  changeField((value) => [value, value]),
  changeField((value, _, name) => ({ [name]: value })),
  (_, other) => other,
];

const rawBodies = [
  '',
  '{',
  '[]',
  'null',
  '"text"',
  '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"x":1}}}',
  '{"a":1,"a":2}',
  '\u0000',
  '{"name":"\\ud800"}',
  `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  '{"amount":1e999}',
  'a=b&a=c&%E0%A4%A',
];

const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?').slice(0, 500);

/** Creates requests of an operation from the records that the run knows. */
export const createRequests = (
  arbitraries: ReturnType<typeof createArbitraries>,
  records: Records,
) => {
  const etag = fc.nat().map((at) => records.pick('etag', at) ?? '"1-Xf3k_9aQ"');
  const headerOf: Readonly<Record<string, fc.Arbitrary<string>>> = {
    'if-match': fc.oneof(etag, fc.constantFrom('*', 'W/"1"', '"', '"a", "b"')),
    'if-none-match': fc.oneof(etag, fc.constantFrom('*', 'W/"1"')),
    'idempotency-key': fc.oneof(fc.uuid(), fc.constantFrom('key', '', 'k'.repeat(256))),
    'accept-encoding': fc.constantFrom('gzip', 'br, gzip;q=0.5', '*;q=0', 'identity'),
  };

  const parameter = ({ in: place, name, schema }: Parameter, manner: Manner, path: string) => {
    const kind = kindOfPath(path);
    if (place === 'header') return headerOf[name] ?? wildText.map(printable);
    const kindOfName = { id: kind, token: 'feedToken', start: 'eventStart' } as const;
    const pathKind = kindOfName[name as keyof typeof kindOfName];
    const known = place === 'path' && pathKind ? knownId(records, pathKind) : undefined;
    const fitting = known ?? arbitraries.of(schema, manner, name).map(asText);
    return fitting.map((text) => text.toWellFormed());
  };

  const texts = (
    { parameters, path }: Operation,
    place: Place,
    manner: Manner,
  ): fc.Arbitrary<Texts> => {
    const own = parameters.filter((one) => one.in === place);
    const model = own.map((one) => {
      const value = parameter(one, manner, path);
      const isNeeded = one.required === true;
      const weight = place === 'header' && manner === 'plain' ? 20 : 2;
      const maybe = fc.oneof(
        { withCrossShrink: true },
        { arbitrary: fc.constant(''), weight },
        { arbitrary: value, weight: 1 },
      );
      return [one.name, isNeeded ? value : maybe] as const;
    });
    // Omits optional parameters; broken requests send empty ones.
    return fc
      .record(Object.fromEntries(model))
      .map((all) => Object.fromEntries(Object.entries(all).filter(([, text]) => text !== '')));
  };

  const brokenTexts = (fitting: fc.Arbitrary<Texts>): fc.Arbitrary<Texts> =>
    fc.tuple(fitting, wildText, fc.nat({ max: 9 })).map(([all, text, at]) => {
      const names = Object.keys(all);
      const name = names[at];
      return name === undefined ? all : { ...all, [name]: text.toWellFormed() };
    });

  const inManner = (operation: Operation, manner: Manner): fc.Arbitrary<FuzzRequest> =>
    fc
      .record({
        caller: fc.constantFrom<CallerName>(
          ...callerNames,
          'author',
          'admin',
          'superAdmin',
          'superAdmin',
        ),
        params: texts(operation, 'path', manner),
        query: texts(operation, 'query', manner),
        headers: texts(operation, 'header', manner),
        isByOwner: fc.boolean(),
        foreign: fc.nat({ max: 4 }),
        body: operation.body ? arbitraries.of(operation.body, manner) : fc.constant(undefined),
      })
      .map(({ foreign, body, ...rest }) => {
        const isForeign = foreign === 4 && operation.accepts === 'json' && typeof body === 'object';
        const own = operation.body ? namesOf(operation) : new Set<string>();
        const extra = Object.entries(foreignFields).filter(([name]) => !own.has(name));
        return {
          ...{ operation, manner, isForeign, ...rest },
          ...(body !== undefined && {
            body: isForeign ? { ...body, ...Object.fromEntries(extra) } : body,
          }),
        };
      });

  const namesOf = ({ body }: Operation): Set<string> => new Set(arbitraries.namesOf(body ?? {}));

  const broken = (operation: Operation): fc.Arbitrary<FuzzRequest> => {
    const fitting = inManner(operation, 'plain');
    const hasBody = operation.body !== undefined;
    return fc
      .record({
        request: fitting,
        value: wildValue,
        at: fc.nat({ max: 30 }),
        how: fc.constantFrom(...breakings),
        raw: fc.option(fc.constantFrom(...rawBodies), { freq: 6 }),
        params: brokenTexts(texts(operation, 'path', 'plain')),
        query: brokenTexts(texts(operation, 'query', 'wild')),
        isOfBody: fc.boolean(),
      })
      .map(({ request, value, at, how, raw, params, query, isOfBody }) => {
        const manner = 'broken' as const;
        if (!hasBody || !isOfBody) return { ...request, manner, params, query };
        if (raw !== null) return { ...request, manner, rawBody: raw, isForeign: false };
        return { ...request, manner, body: how(request.body, value, at), isForeign: false };
      });
  };

  /** Returns requests of an operation: realistic ones, ones that fit the schema, and invalid ones. */
  return (operation: Operation): fc.Arbitrary<FuzzRequest> =>
    fc.oneof(
      { arbitrary: inManner(operation, 'plain'), weight: 4 },
      { arbitrary: inManner(operation, 'wild'), weight: 3 },
      { arbitrary: broken(operation), weight: 3 },
    );
};
