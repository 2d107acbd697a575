import { crc32 } from 'node:zlib';

/** Key attributes of the table. The stack and the local engine create it from these. */
export const schema = {
  partitionKey: 'pk',
  sortKey: 'sk',
  ttl: 'ttl',
  index: { name: 'gsi1', partitionKey: 'gsi1pk', sortKey: 'gsi1sk' },
} as const;

/** Primary key of an item. */
export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** Scopes of document and file lists: a shard of all, everyone's, and of the others a user's own and those shared with a user. */
export type ListScope = `ALL#${number}` | 'EVERYONE' | `OF#${number}` | `SHARED#${number}`;

/** A kind of part: how it is written, and the pattern and the value of what was written. */
interface Kind {
  readonly pattern: string;
  readonly write?: (value: never) => string;
  /** Absent: the text itself. `undefined`: the other key attribute holds the whole value. */
  readonly read?: ((text: string) => unknown) | undefined;
  readonly shards?: number;
}

/** A number whose text sorts as it does. */
const digits = (count: number): Kind => ({
  pattern: `\\d{${count}}`,
  write: (value: number) => String(value).padStart(count, '0'),
  read: Number,
});

const kinds = {
  /** Contains no `#`. */
  text: { pattern: '[^#]*' },
  any: { pattern: '.*' },
  /** Contains no tab. */
  line: { pattern: '[^\\t]*' },
  lower: { pattern: '.*', write: (value: string) => value.toLowerCase() },
  int: { pattern: '\\d+', read: Number },
  /** An integer, or nothing. */
  optional: {
    pattern: '\\d*',
    write: (value: number | undefined) => String(value ?? ''),
    read: (text: string) => (text === '' ? undefined : Number(text)),
  },
  id: digits(16),
  list: { pattern: '(?:ALL|OF|SHARED)#\\d+|EVERYONE' },
  /** The first character of a word. */
  first: {
    pattern: '.*',
    write: (value: string) => String.fromCodePoint(value.codePointAt(0) ?? 0),
    read: undefined,
  },
} satisfies Record<string, Kind>;

/**
 * A shard, chosen by a hash of a text that the sort key holds as a whole: it spreads a list over so many partitions,
 * because one takes 1,000 write units a second.
 */
const shardOf = (count: number): Kind => ({
  pattern: '\\d+',
  write: (value: unknown) => String(crc32(String(value)) % count),
  read: undefined,
  shards: count,
});

const toKind = (name: string): Kind => {
  const [, count] = /^shard of (\d+)$/.exec(name) ?? [];
  if (count !== undefined) return shardOf(Number(count));
  return name.includes('|') ? { pattern: name } : kinds[name as keyof typeof kinds];
};

type OneOf<Texts extends string> = Texts extends `${infer One}|${infer Others}`
  ? One | OneOf<Others>
  : Texts;

interface Values {
  readonly int: number;
  readonly optional: number | undefined;
  readonly id: number;
  readonly part: number;
  readonly list: ListScope;
}

type ValueOf<Name extends string> = Name extends keyof Values
  ? Values[Name]
  : Name extends `shard of ${string}`
    ? unknown
    : Name extends `${string}|${string}`
      ? OneOf<Name>
      : string;

type PartOf<Text extends string> = Text extends `${infer Name}:${infer Kind}`
  ? { readonly [N in Name]: ValueOf<Kind> }
  : { readonly [N in Text]: string };

/** The parts of a template and their types. */
type PartsOf<Template extends string> = Template extends `${string}{${infer Part}}${infer Rest}`
  ? PartOf<Part> & PartsOf<Rest>
  : unknown;

type Parts = Readonly<Record<string, unknown>>;

type Given<P> = unknown extends P ? [] : [parts: P];

/**
 * The keys of one type of item. A template has parts: `{a}` is text without `#`, `{a:any}` any text, `{n:int}` an
 * integer, `{n:id}` one of 16 digits, `{a:X|Y}` one of these texts, `{a:shard of 8}` one of eight shards by a hash of `a`;
 * `kinds` has the others.
 */
export interface KeyFamily<Pk, Sk> {
  /** The templates. */
  readonly pk: string;
  readonly sk: string;
  readonly isIndex: boolean;
  /** Returns the key with these parts. */
  at(...given: Given<Pk & Sk>): Key;
  /** Returns the partition with these parts. */
  partition(...given: Given<Pk>): { readonly pk: string };
  /** Returns the partitions with these parts: one for each shard, or the only one. */
  partitions(parts?: Partial<Pk>): readonly { readonly pk: string }[];
  /** Returns the start of the keys with these parts: the sort key ends before the first part that is absent. */
  prefix(parts: Pk & Partial<Sk>): Key;
  /** Returns the parts of a key; `undefined` if it is of another family. */
  read(key: Key): (Pk & Sk) | undefined;
}

/** A family whatever its parts. */
export interface AnyKeyFamily
  extends Pick<KeyFamily<never, never>, 'pk' | 'sk' | 'isIndex' | 'partitions'> {
  at(...given: never): Key;
  prefix(parts: never): Key;
  read(key: Key): object | undefined;
}

interface Part {
  readonly name: string;
  readonly kind: Kind;
  /** What follows the part. */
  readonly after: string;
}

interface Template {
  readonly start: string;
  readonly parts: readonly Part[];
  /** Created by the first `read`. */
  pattern?: RegExp;
}

const parse = (template: string): Template => {
  const [start = '', ...rest] = template.split('{');
  const parts = rest.map((one) => {
    const [part = '', after = ''] = one.split('}');
    const [name = '', kind = 'text'] = part.split(':');
    return { name, kind: toKind(kind), after };
  });
  return { start, parts };
};

const write = ({ start, parts }: Template, values: Parts, isPrefix = false): string => {
  let text = start;
  for (const { name, kind, after } of parts) {
    const value = values[name];
    if (isPrefix && value === undefined) break;
    text += (kind.write ? kind.write(value as never) : value) + after;
  }
  return text;
};

/** Writes a template once for each of its shards. */
const writeShards = ({ start, parts }: Template, values: Parts): string[] => {
  const count = parts.find(({ kind }) => kind.shards)?.kind.shards ?? 1;
  return Array.from({ length: count }, (_, shard) => {
    const each = parts.map((part) =>
      part.kind.shards ? { ...part, kind: { ...part.kind, write: () => String(shard) } } : part,
    );
    return write({ start, parts: each }, values);
  });
};

const toPattern = ({ start, parts }: Template): RegExp => {
  const groups = parts.map(({ kind, after }) => `(${kind.pattern})${after}`);
  return new RegExp(`^${start}${groups.join('')}$`, 's');
};

const read = (template: Template, text: string): Parts | undefined => {
  template.pattern ??= toPattern(template);
  const found = template.pattern.exec(text);
  if (!found) return undefined;
  const entries = template.parts.flatMap(({ name, kind }, at) => {
    const part = found[at + 1] ?? '';
    if (!('read' in kind)) return [[name, part]];
    return kind.read ? [[name, kind.read(part)]] : [];
  });
  return Object.fromEntries(entries);
};

/** Creates a family of keys from the templates of both key attributes. */
export const keyFamily = <const Pk extends string, const Sk extends string>(
  pk: Pk,
  sk: Sk,
  isIndex = false,
): KeyFamily<PartsOf<Pk>, PartsOf<Sk>> => {
  const [partition, sort] = [parse(pk), parse(sk)];
  const at = (parts: Parts = {}): Key => ({ pk: write(partition, parts), sk: write(sort, parts) });
  return {
    pk,
    sk,
    isIndex,
    at: at as never,
    partition: ((parts: Parts = {}) => ({ pk: write(partition, parts) })) as never,
    partitions: ((parts: Parts = {}) =>
      writeShards(partition, parts).map((text) => ({ pk: text }))) as never,
    prefix: (parts) => ({
      pk: write(partition, parts as Parts),
      sk: write(sort, parts as Parts, true),
    }),
    read: (key) => {
      const [first, second] = [read(partition, key.pk), read(sort, key.sk)];
      if (!first || !second) return undefined;
      const parts = { ...first, ...second };
      const again = at(parts);
      return again.pk === key.pk && again.sk === key.sk ? (parts as never) : undefined;
    },
  };
};

/** Creates a family of keys of the index, which has some items a second time. */
export const indexFamily = <const Pk extends string, const Sk extends string>(
  pk: Pk,
  sk: Sk,
): KeyFamily<PartsOf<Pk>, PartsOf<Sk>> => keyFamily(pk, sk, true);

/** Returns the partitions of a family of shards, such as `OUTBOX#{id:shard of 8}`. */
export const listShards = ({ partitions }: Pick<AnyKeyFamily, 'partitions'>): string[] =>
  partitions().map(({ pk }) => pk);
