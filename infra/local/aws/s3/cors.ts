import type { IncomingHttpHeaders } from 'node:http';
import { S3Error } from './s3-error.ts';
import { getChildren, getText, parseXml } from './xml.ts';

/** A rule of a bucket: the requests that pages may send, and the response headers that they may read. */
export interface CorsRule {
  readonly origins: readonly string[];
  readonly methods: readonly string[];
  readonly headers: readonly string[];
  readonly exposed: readonly string[];
  readonly maxAgeSeconds?: number;
}

type Headers = Readonly<Record<string, string>>;

/** Parses the body of PutBucketCors. */
export const parseCorsRules = (xml: string): CorsRule[] =>
  getChildren(parseXml(xml), 'CORSRule').map((rule) => {
    const texts = (name: string) => getChildren(rule, name).map(({ text }) => text);
    const maxAge = getText(rule, 'MaxAgeSeconds');
    return {
      origins: texts('AllowedOrigin'),
      methods: texts('AllowedMethod'),
      headers: texts('AllowedHeader').map((name) => name.toLowerCase()),
      exposed: texts('ExposeHeader'),
      ...(maxAge !== undefined && { maxAgeSeconds: Number(maxAge) }),
    };
  });

/** Matches a text with a pattern, in which one `*` stands for any characters. */
const matches = (pattern: string, text: string): boolean => {
  const [start = '', end] = pattern.split('*');
  if (end === undefined) return pattern === text;
  return text.length >= pattern.length - 1 && text.startsWith(start) && text.endsWith(end);
};

const getList = (header: string | undefined): string[] =>
  (header ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');

const ruleFor = (
  rules: readonly CorsRule[],
  origin: string,
  method: string,
  headers: readonly string[] = [],
): CorsRule | undefined =>
  rules.find(
    (rule) =>
      rule.methods.includes(method) &&
      rule.origins.some((pattern) => matches(pattern, origin)) &&
      headers.every((name) => rule.headers.some((pattern) => matches(pattern, name))),
  );

const responseHeaders = (rule: CorsRule, origin: string): Headers => ({
  ...(rule.origins.includes('*')
    ? { 'access-control-allow-origin': '*' }
    : { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' }),
  'access-control-allow-methods': rule.methods.join(', '),
  ...(rule.exposed.length > 0 && { 'access-control-expose-headers': rule.exposed.join(', ') }),
  ...(rule.maxAgeSeconds !== undefined && {
    'access-control-max-age': String(rule.maxAgeSeconds),
  }),
  vary: 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method',
});

const forbidden = (): S3Error =>
  new S3Error(403, 'AccessForbidden', 'CORSResponse: This CORS request is not allowed.');

/**
 * Returns the response headers for a page of another origin. S3 itself serves pages without a rule, which then can’t
 * read the response. This server refuses them, because any page may guess its address.
 * @throws S3Error AccessForbidden when no rule allows the request
 */
export const corsHeaders = (
  rules: readonly CorsRule[],
  method: string,
  { origin }: IncomingHttpHeaders,
): Headers => {
  if (origin === undefined) return {};
  const rule = ruleFor(rules, origin, method);
  if (!rule) throw forbidden();
  return responseHeaders(rule, origin);
};

/**
 * Returns the response headers for a preflight request.
 * @throws S3Error AccessForbidden when no rule allows the request
 */
export const preflightHeaders = (
  rules: readonly CorsRule[],
  headers: IncomingHttpHeaders,
): Headers => {
  const { origin, 'access-control-request-method': method } = headers;
  const wanted = getList(headers['access-control-request-headers']);
  const rule = origin && method ? ruleFor(rules, origin, method, wanted) : undefined;
  if (!rule || !origin) throw forbidden();
  return {
    ...responseHeaders(rule, origin),
    ...(wanted.length > 0 && { 'access-control-allow-headers': wanted.join(', ') }),
  };
};
