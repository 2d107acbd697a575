// What seals and opens shares on this machine: the service never gets a key (decisions.md#sealed-shares).

import { toShareName } from '../commands/reading.ts';
import { usageError } from '../error-mapping.ts';
import { assertOf, type KeyedShare, readKeyed } from '../sealed/link.ts';
import { toObject } from './message.ts';
import {
  assertPlain,
  changeSealedShare,
  createSealedShare,
  readSealedShare,
  type SealedContext,
  type SealedResult,
} from './sealed-calls.ts';

type Arguments = Readonly<Record<string, unknown>>;

const passphrase = {
  type: 'string',
  description: 'Of a sealed share that has one: ask the person. It stays on this machine.',
};

const linkMeaning =
  'Of a sealed share, the whole link with the key behind the `#`, which stays on this machine.';

/** What this command adds to tools of the service. */
const added: Readonly<Record<string, { properties: Arguments; description: string }>> = {
  share_create: {
    properties: {
      sealed: {
        type: 'boolean',
        description:
          'Encrypts content and files on this machine: the service can’t read them, and only the whole link opens them.',
      },
      passphrase: {
        type: 'string',
        description: 'With `sealed`: what readers need beside the link. It stays on this machine.',
      },
    },
    description:
      'With `sealed`, it is encrypted on this machine, if the person wants that the service can’t read it; title and description stay readable.',
  },
  share_update: { properties: { passphrase }, description: linkMeaning },
  share_read: { properties: { passphrase }, description: linkMeaning },
};

/** Adds the arguments of sealed shares to a tool of the service. */
export const amendSealed = (listed: unknown): unknown => {
  const shown = toObject(listed);
  const schema = toObject(shown?.['inputSchema']);
  const more = added[String(shown?.['name'])];
  if (!shown || !schema || !more) return listed;
  return {
    ...shown,
    description: [shown['description'], more.description].filter(Boolean).join(' '),
    inputSchema: {
      ...schema,
      properties: { ...toObject(schema['properties']), ...more.properties },
    },
  };
};

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** A call as this machine understands it. */
export interface UnderstoodCall {
  /** What the service may get: no key and no passphrase. */
  readonly given: Arguments;
  /** What this machine does itself; absent for what the service does. */
  readonly run?: (context: SealedContext) => Promise<SealedResult>;
  /** What has to hold before the service gets the call. Throws if it doesn’t. */
  readonly check?: (context: Pick<SealedContext, 'client'>) => Promise<void>;
  /** What the model has to know of the answer of the service. */
  readonly remark?: string;
}

/** Tools that send content to a share, with the arguments that have it. */
const contentArguments: Readonly<Record<string, readonly string[]>> = {
  share_update: ['content', 'path'],
  share_file_put: ['content', 'base64', 'from'],
};

const hasContent = (name: string, given: Arguments): boolean =>
  contentArguments[name]?.some((one) => isGiven(given[one])) ?? false;

const lacksKey =
  'Links in this answer lack the key. Add what is behind the # of the link that you sent, or nobody can open them.';

const findRun = (
  name: string,
  given: Arguments,
  keyed: KeyedShare | undefined,
): UnderstoodCall['run'] => {
  if (name === 'share_create' && given['sealed'] === true) {
    return (context) => createSealedShare(given, context);
  }
  if (!keyed) return undefined;
  if (name === 'share_read') return (context) => readSealedShare(keyed, given, context);
  return name === 'share_update' && hasContent(name, given)
    ? (context) => changeSealedShare(keyed, given, context)
    : undefined;
};

/** @throws CliError for a wish to seal that can't be fulfilled: what was to be sealed must not be sent */
const assertSeals = (name: string, { sealed }: Arguments): void => {
  if (!isGiven(sealed) || sealed === false) return;
  if (sealed !== true) throw usageError('Invalid sealed: must be true or false.');
  if (name === 'share_create') return;
  throw usageError(
    'Only share_create seals. To change a sealed share, send its whole link as `id`.',
  );
};

/**
 * Takes out of a call what the service must not get, and finds what this machine does itself.
 * @throws CliError for a key that is incomplete or of another service, a wish to seal that isn't one, and a passphrase that seals
 *   and opens nothing
 */
export const understandCall = (name: string, given: Arguments, url: string): UnderstoodCall => {
  const { sealed: _, passphrase: secret, id, ...rest } = given;
  assertSeals(name, given);
  const isLink = typeof id === 'string' && id.includes('#');
  const keyed = isLink ? readKeyed(id) : undefined;
  if (keyed) assertOf(keyed, url);
  const run = findRun(name, given, keyed);
  const kept = { ...rest, ...(id !== undefined && { id: isLink ? toShareName(id) : id }) };
  if (run) return { given: kept, run };
  const more = {
    ...(hasContent(name, given) && {
      check: ({ client }: Pick<SealedContext, 'client'>) => assertPlain(client, String(kept.id)),
    }),
    ...(keyed && { remark: lacksKey }),
  };
  if (!(name in added)) return { given: isLink ? { ...given, ...kept } : given, ...more };
  if (isGiven(secret) && !keyed) {
    throw usageError(
      name === 'share_create'
        ? 'A passphrase is for sealed shares: send `sealed`: true, too.'
        : 'The passphrase is of no sealed share: send its whole link as `id`.',
    );
  }
  return { given: kept, ...more };
};
