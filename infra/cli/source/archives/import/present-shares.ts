import { ApiError } from '../../../../../functions/web/browser/client/api-error.ts';
import type { Client } from '../../../../../functions/web/browser/client/client.ts';
import type { Item } from '../../../../../functions/web/browser/client/endpoints.ts';
import type { FullShare } from '../../commands/reading.ts';
import { createPresent, type Present } from './present.ts';
import { type ArchivedRecord, hash, toText } from './records.ts';

type ListedShare = Item<'GET /api/share'>;

/** Returns the title that was given to a share; an empty one if none was. */
export const getTitle = ({ titleIsGiven, title }: ArchivedRecord | ListedShare): string =>
  titleIsGiven ? toText(title) : '';

/** What a share has in common with one that equals it, without its content. */
export const toOutline = (share: ArchivedRecord | ListedShare, count: number): string =>
  JSON.stringify([share['language' as never], getTitle(share), count]);

/** A file of a share, and what it has. */
export interface FileName {
  readonly path: string;
  readonly sha256: string;
}

/** Identifies a share with files. */
export const identifyFiles = (main: string, files: readonly FileName[]): string =>
  hash(main, JSON.stringify(files.map(({ path, sha256 }) => `${sha256} ${path}`).toSorted()));

const identify = ({ content, files, main = '' }: FullShare): string =>
  files ? identifyFiles(main, files) : hash(content);

/** The shares that the user has. */
export interface PresentShares {
  /** Those that others can open. */
  readonly active: Present<ListedShare>;
  /** Those that have ended or were taken down. */
  readonly ended: Present<ListedShare>;
}

const toEndedOutline = (share: ArchivedRecord | ListedShare): string =>
  JSON.stringify([share['language' as never], getTitle(share)]);

/** What identifies a share whose content is gone: its title, or what its owner has chosen. */
const identifyEnded = (
  share: ArchivedRecord | ListedShare,
  viewLimit: unknown = share['viewLimit' as never],
): string =>
  getTitle(share) === ''
    ? `ended ${JSON.stringify([share['expiresAt' as never] ?? null, viewLimit ?? null])}`
    : 'ended';

const list = async function* <Value>(values: readonly Value[]): AsyncGenerator<Value> {
  yield* values;
};

/** Finds the shares that the user has. */
export const listPresentShares = async (client: Client): Promise<PresentShares> => {
  const active: ListedShare[] = [];
  const ended: ListedShare[] = [];
  for await (const share of client.items('GET /api/share', { query: { mine: 'true' } as never })) {
    (share.status === 'active' ? active : ended).push(share);
  }
  const read = async ({ id }: ListedShare): Promise<string> => {
    const query = { id, mine: 'true' } as const;
    return identify((await client.call('GET /api/share', { query })) as FullShare);
  };
  return {
    active: await createPresent(
      list(active),
      (share) => toOutline(share, share.fileTotals?.count ?? 0),
      read,
    ),
    ended: await createPresent(list(ended), toEndedOutline, async (share) => {
      try {
        return await read(share);
      } catch (error) {
        if (error instanceof ApiError && [404, 410].includes(error.status)) {
          return identifyEnded(share);
        }
        throw error;
      }
    }),
  };
};

/** Takes a share that equals one of the archive and has ended. */
export const takeEnded = async (
  { ended }: PresentShares,
  record: ArchivedRecord,
  identity: string,
): Promise<boolean> => {
  // Of a view limit, what was left became the limit of what was imported.
  const identities = [
    ...[identity, identifyEnded(record)],
    identifyEnded(record, record['viewsLeft']),
  ];
  const isIt = (one: string): boolean => identities.includes(one);
  return (await ended.take(toEndedOutline(record), isIt)) !== undefined;
};
