import * as z from 'zod';
import { multiLine, oneLine } from '../../../../shared/input/fields.ts';
import { maxTitleLength, maxViews } from '../../../../shared/input/share-limits.ts';
import { audiences, maxReaders } from '../../../../shared/permissions/audiences.ts';
import {
  choice,
  count,
  flag,
  list,
  type Option,
  people,
  text,
  toBodyField,
  toParameter,
  toShownField,
} from './option-kinds.ts';
import { slugPattern } from './slug-pattern.ts';

const embedRule = 'must be an https origin such as https://blog.example.com, or *';

/** Returns an origin as browsers write it; `undefined` if it is none. */
const toOrigin = (given: string): string | undefined => {
  if (given === '*') return given;
  const { protocol, origin, href } = URL.parse(given) ?? {};
  return protocol === 'https:' && href === `${origin}/` ? origin : undefined;
};

const EmbedOrigin = z
  .string()
  .max(200)
  .trim()
  .refine((given) => toOrigin(given) !== undefined, embedRule)
  .overwrite((given) => toOrigin(given) ?? given);

const Slug = z.string().regex(slugPattern, 'must have 3 to 64 characters of a-z, 0-9 and -');

/**
 * The options of a share. An entry here is
 * - a field of `POST /api/share`, in JSON, query or form, and of `PUT /api/share/{id}`,
 * - stored in the record and written to the audit log,
 * - in what the API says of a share: to its owner, and unless it is private to readers,
 * - read, filled in and copied by the composer, once its form has a control.
 *
 * To add one:
 * 1. add it here, by `flag`, `text`, `count` or `list`;
 * 2. name it in `functions/web/browser/option-texts.ts`, for the composer and the page of the audit log (flags get
 *    their control by that, others one in `options-popover.ts`);
 * 3. act on `share.<name>` where it has its effect; what the condition of a view needs goes to `access-state.ts`, too.
 *
 * Not here is what is not stored as it is said: the content and its language, the password, and the expiration. Of people,
 * only those whom requests name by address are stored otherwise: by id.
 */
export const shareOptions = {
  audience: choice(audiences, 'link', {
    input:
      'Who can open it: anyone with the `link`, signed-in `members`, the `people` in `readers`, or its owner (`private`). Left out, the narrowest that DEFAULT_AUDIENCE, MAX_AUDIENCE and the API token allow.',
    output: 'Who can open it. With `private`, only its owner; with `people`, also `readers`.',
  }),
  readers: people(maxReaders, {
    input:
      'The users who can open it besides its owner, by id or email address; up to 50. Without `audience`, it is `people`.',
    output:
      'The ids of the users who can open it with the audience `people`. Empty for others than its owner.',
    isPrivate: true,
  }),
  title: text(oneLine(maxTitleLength)),
  description: text(multiLine(1_000)),
  slug: text(Slug, {
    input:
      'The name in its address, `/s/{slug}`. After its release, only its last owner can take it for 90 days.',
    output: 'The name in its address, if it has one.',
  }),
  viewLimit: count(maxViews),
  notify: flag({
    input: 'Whether you get a notification when the share is opened for the first time.',
    output: 'Whether its owner gets a notification of the first view. `false` for readers.',
    isPrivate: true,
  }),
  readersCanEnd: flag({
    input: 'Whether readers can end the share on its page.',
    output: 'Whether readers can end it on its page.',
  }),
  showsRevisions: flag({
    input:
      'Whether readers can see former contents of the share, as long as it has no password and no view limit.',
    output: 'Whether readers can see its revisions.',
  }),
  embedOrigins: list(EmbedOrigin, 10, {
    input:
      'The sites that can embed the share by a frame of `/s/{id}/embed`: up to 10 origins, or `*` for all.',
    output: 'The sites that can embed it. Empty for readers.',
    isPrivate: true,
  }),
} as const;

type Table = typeof shareOptions;

export type OptionName = keyof Table;

export const optionNames = Object.keys(shareOptions) as OptionName[];

/** Creates an object with an entry for each option. The caller states its type, which the compiler can't follow. */
const mapOptions = <Mapped>(
  toEntry: (option: Option<unknown, unknown>, name: OptionName) => unknown,
) =>
  Object.fromEntries(
    optionNames.map((name) => [
      name,
      toEntry(shareOptions[name] as Option<unknown, unknown>, name),
    ]),
  ) as Mapped;

type Value<Name extends OptionName> =
  Table[Name] extends Option<infer Value, unknown> ? Value : never;
type Shown<Name extends OptionName> = Table[Name]['none'];
type Kept<Given> = Given extends boolean ? true : Readonly<Given>;
type Stored<Name extends OptionName> = Kept<NonNullable<Shown<Name>>>;

/** The options that a request asks for: absent ones stay, null removes one. */
export type AskedOptions = {
  readonly [Name in OptionName]?: Kept<Value<Name>> | null | undefined;
};

/** The options as they are stored. */
export type StoredOptions = { readonly [Name in OptionName]?: Stored<Name> };

/** Changes of them: absent ones stay, null removes one. */
export type OptionChanges = { readonly [Name in OptionName]?: Stored<Name> | null | undefined };

/** The fields of bodies. */
export const optionFields =
  mapOptions<{
    readonly [Name in OptionName]: ReturnType<typeof toBodyField<Value<Name>>>;
  }>(toBodyField);

/** The parameters of queries. */
export const optionParameters =
  mapOptions<{
    readonly [Name in OptionName]: ReturnType<typeof toParameter<Value<Name>>>;
  }>(toParameter);

/** The fields of responses. */
export const shownOptions =
  mapOptions<{
    readonly [Name in OptionName]: ReturnType<typeof toShownField<Shown<Name>>>;
  }>(toShownField);

const isNone = (value: unknown): boolean =>
  value === null || value === false || (Array.isArray(value) && value.length === 0);

/** Converts the fields of a body to what it asks for. */
export const toAskedOptions = (
  given: {
    readonly [Name in OptionName]?: Value<Name> | null | undefined;
  },
): AskedOptions => mapOptions((_, name) => (isNone(given[name]) ? null : given[name]));

/** Returns the options of a new share, without those that are not set. */
export const toStoredOptions = (changes: OptionChanges): StoredOptions =>
  Object.fromEntries(
    optionNames.map((name) => [name, changes[name]]).filter(([, value]) => value != null),
  );

/** Returns the options after changes; `undefined` where there is none. */
export const applyOptions = (before: StoredOptions, changes: OptionChanges) =>
  mapOptions<{ readonly [Name in OptionName]: Stored<Name> | undefined }>((_, name) =>
    changes[name] === undefined ? before[name] : (changes[name] ?? undefined),
  );

/** Returns the options of a share as responses show them. */
export const showOptions = (share: StoredOptions) =>
  mapOptions<{ [Name in OptionName]: Shown<Name> }>(({ none }, name) => share[name] ?? none);

/** Returns the options of a share as readers see them. */
export const showReaderOptions = (share: StoredOptions) =>
  mapOptions<{ [Name in OptionName]: Shown<Name> }>(({ none, about }, name) =>
    about.isPrivate ? none : (share[name] ?? none),
  );
