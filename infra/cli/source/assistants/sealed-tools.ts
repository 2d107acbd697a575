// What seals and opens shares on this machine: the service never gets a key (decisions.md#sealed-shares).

import { toShareName } from '../commands/reading.ts';
import { usageError } from '../error-mapping.ts';
import { assertOf, type KeyedShare, readKeyed } from '../sealed/link.ts';
import { toObject } from './message.ts';
import {
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
}

const findRun = (
  name: string,
  given: Arguments,
  keyed: KeyedShare | undefined,
): UnderstoodCall['run'] => {
  const { sealed, content, path } = given;
  if (name === 'share_create' && sealed === true) {
    return (context) => createSealedShare(given, context);
  }
  if (!keyed) return undefined;
  if (name === 'share_read') return (context) => readSealedShare(keyed, given, context);
  const hasContent = isGiven(content) || isGiven(path);
  return name === 'share_update' && hasContent
    ? (context) => changeSealedShare(keyed, given, context)
    : undefined;
};

/**
 * Takes out of a call what the service must not get, and finds what this machine does itself.
 * @throws CliError for a key that is incomplete or of another service, and a passphrase that seals and opens nothing
 */
export const understandCall = (name: string, given: Arguments, url: string): UnderstoodCall => {
  const { sealed, passphrase: secret, id, ...rest } = given;
  const isLink = typeof id === 'string' && id.includes('#');
  const keyed = isLink ? readKeyed(id) : undefined;
  if (keyed) assertOf(keyed, url);
  const kept = { ...rest, ...(id !== undefined && { id: isLink ? toShareName(id) : id }) };
  if (!(name in added)) return { given: isLink ? { ...given, id: toShareName(id) } : given };
  const run = findRun(name, given, keyed);
  if (run) return { given: kept, run };
  if (sealed === true) {
    throw usageError(
      'Only share_create seals. To change a sealed share, send its whole link as `id`.',
    );
  }
  if (isGiven(secret) && !keyed) {
    throw usageError('The passphrase is of no sealed share: send its whole link as `id`.');
  }
  return { given: kept };
};
