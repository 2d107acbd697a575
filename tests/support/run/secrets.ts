/** A secret to search for: a text, or bytes such as a derived key. */
type Secret = string | Uint8Array;

/** A line of output that contains a secret. */
export interface Leak {
  readonly kind: string;
  readonly line: string;
}

const isSecretName = (name: string): boolean =>
  /(?:password|passwordHash|token|secret|proof)$/i.test(name);

/**
 * Returns whether a text is too common to search for. No password is under 6 characters, short numbers occur in times
 * and ids, and these words in routes, messages and field names.
 */
const isCommon = (text: string): boolean =>
  text.length < 6 || /^\d{1,9}$/.test(text) || /^(?:passwords?|secrets?|tokens?)$/i.test(text);

/** Returns the secret part: a JWT's signature, or the secret of an API token or link. */
const coreOf = (text: string): string =>
  text.match(/^[\w-]+\.[\w-]+\.([\w-]{16,})$/)?.[1] ??
  text.match(/^hb_[0-9a-z]+_([0-9a-f]{48})/)?.[1] ??
  text.match(/^\d+\.([\w-]{43})$/)?.[1] ??
  text;

/** Returns the base64 characters of these bytes at any offset of the encoded text. */
const inBase64 = (bytes: Uint8Array): string[] =>
  [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    // The first and last characters also encode adjacent bytes.
    const first = before === 0 ? 0 : before + 1;
    const own = encoded.slice(first, Math.floor(((before + bytes.length) * 8) / 6));
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

const formsOfText = (text: string): string[] => [
  text,
  inJson(text),
  // JSON within JSON, such as a logged body.
  inJson(inJson(text)),
  encodeURIComponent(text),
  new URLSearchParams({ '': text }).toString().slice(1),
  ...inBase64(Buffer.from(text)),
];

const formsOfBytes = (bytes: Uint8Array): string[] => [
  Buffer.from(bytes).toString('hex'),
  bytes.join(','),
  inJson(JSON.stringify(new Uint8Array(bytes)).slice(1, -1)),
  JSON.stringify(new Uint8Array(bytes)).slice(1, -1),
  ...inBase64(bytes),
];

const formsOf = (secret: Secret): string[] =>
  typeof secret === 'string' ? formsOfText(secret) : formsOfBytes(secret);

/** Patterns of secrets. */
const patterns: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['JWT', /\beyJ[\w-]+\.eyJ[\w-]+\.[\w-]{20,}/],
  ['API token', /\bhb_[0-9a-z]{1,11}_[0-9a-f]{48}/],
  ['token of a link', /\b\d{1,16}\.[\w-]{43}(?![\w-])/],
  ['bcrypt hash', /\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}/],
  ['session cookie', /__Host-session=[^;\s"\\]/],
];

/** Kinds of the secrets of this test file, by the searched part. */
const kindOfSecret = new Map<Secret, string>();

/** Records a secret to search for at the end of the file. Ignores common texts. */
export const keepSecret = (kind: string, secret: Secret): void => {
  if (typeof secret === 'string' && isCommon(secret)) return;
  kindOfSecret.set(typeof secret === 'string' ? coreOf(secret) : secret, kind);
};

const keepOfAuthorization = (value: string): void => {
  const [scheme, credentials = ''] = value.split(' ');
  keepSecret('authorization', credentials);
  if (scheme?.toLowerCase() !== 'basic') return;
  const [, password = ''] = Buffer.from(credentials, 'base64').toString().split(/:(.*)/s);
  keepSecret('basic password', password);
};

const keepOfCookie = (cookie: string): void => {
  for (const pair of cookie.split(';')) {
    const [name = '', value = ''] = pair.trim().split(/=(.*)/s);
    if (name === '__Host-session') keepSecret('session cookie', value);
  }
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
};

/** Matches pairs in a query, form or link, and the hidden field of a page. */
const keepOfText = (text: string): void => {
  if (!text.includes('=')) return;
  for (const [, name = '', value = ''] of text.matchAll(
    /(?:^|[?&;])(\w*password|\w*token|view)=([^&;"'<>\s]+)/gi,
  )) {
    keepSecret(name, decoded(value));
  }
  for (const [, name = '', value = ''] of text.matchAll(
    /name="(\w*password|\w*token)"[^>]* value="([^"]+)"/gi,
  )) {
    keepSecret(name, value);
  }
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/**
 * Records every secret of a request or response at any depth: by names of fields and headers, in cookies, links, forms
 * and JSON.
 */
export const keepSecretsOf = (value: unknown, name = ''): void => {
  if (typeof value === 'string') {
    if (isSecretName(name)) keepSecret(name, value);
    else if (/^authorization$/i.test(name)) keepOfAuthorization(value);
    else if (/cookies?$/i.test(name)) keepOfCookie(value);
    else if (/^\s*[{[]/.test(value)) keepSecretsOf(parseJson(value));
    else keepOfText(value);
  } else if (Array.isArray(value)) {
    for (const one of value) keepSecretsOf(one, name);
  } else if (typeof value === 'object' && value !== null) {
    for (const [field, one] of Object.entries(value)) keepSecretsOf(one, field);
  }
};

const lineAt = (output: string, at: number): string => {
  const end = output.indexOf('\n', at);
  return output.slice(output.lastIndexOf('\n', at) + 1, end === -1 ? undefined : end);
};

/** Calls back with a hash of 22 bits for each sequence of `sequenceLength` characters of a text, until that returns false. */
const hashSequences = (text: string, each: (hash: number) => boolean): boolean => {
  let hash = 0;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash, factor) + text.charCodeAt(at);
    if (at >= sequenceLength) hash -= Math.imul(last, text.charCodeAt(at - sequenceLength));
    if (at >= sequenceLength - 1 && !each((hash ^ (hash >>> 10)) & 0x3fffff)) return false;
  }
  return true;
};

/** Characters from which an index takes less time than the searches. */
const worthIndexing = 50_000;

/** No longer than the shortest secret. */
const sequenceLength = 6;
const factor = 1_000_003;
const last = Array.from({ length: sequenceLength }).reduce<number>(
  (product) => Math.imul(product, factor),
  1,
);

/**
 * Returns what tells whether a text may contain another, from one pass over it: hundreds of secrets, in a dozen forms each,
 * are hardly ever in it, and to search megabytes for all of them takes seconds.
 */
const indexSequences = (text: string): ((searched: string) => boolean) => {
  const seen = new Uint8Array(0x400000);
  hashSequences(text, (hash) => {
    seen[hash] = 1;
    return true;
  });
  return (searched) => hashSequences(searched, (hash) => seen[hash] === 1);
};

/** Returns each line that contains a recorded secret or a pattern of one. */
export const findLeaks = (output: string): Leak[] => {
  const mayContain = output.length < worthIndexing ? () => true : indexSequences(output);
  const find = (form: string): number => (mayContain(form) ? output.indexOf(form) : -1);
  const found = [
    ...[...kindOfSecret].flatMap(([secret, kind]) =>
      formsOf(secret).map((form) => ({ kind, at: find(form) })),
    ),
    ...patterns.map(([kind, pattern]) => ({ kind, at: output.search(pattern) })),
  ];
  const kindOfLine = new Map<string, string>();
  for (const { kind, at } of found) {
    const line = lineAt(output, at);
    if (at !== -1 && !kindOfLine.has(line)) kindOfLine.set(line, kind);
  }
  return [...kindOfLine].map(([line, kind]) => ({ kind, line }));
};
