import { signal } from '@preact/signals';
import type { ApiError } from '../../../../../browser/client/api-error.ts';
import type { Data } from '../../../../../browser/client/endpoints.ts';
import { doUndoably } from '../../../../../browser/data/undoable.ts';
import { api } from '../../../../../browser/shell/api.ts';
import { drawerTexts as texts } from '../../../drawer-texts.ts';
import { findShare, type Share, update } from '../state.ts';

export type Reader = Data<'GET /api/share/{id}/receipts'>['readers'][number];

/** The readers that are being removed, by share and reader. */
const removing = signal<ReadonlySet<string>>(new Set());

const toKey = (shareId: string, readerId: number): string => `${shareId} ${readerId}`;

/** Returns the ids of those whom a share names, without those who are being removed. */
export const listReaders = ({ id, readers }: Pick<Share, 'id' | 'readers'>): readonly number[] =>
  readers.filter((reader) => !removing.value.has(toKey(id, reader)));

/** Reads a share as its owner. */
export const readShare = (id: string): Promise<Share> =>
  api.call('GET /api/share', { query: { id, mine: 'true' } }) as Promise<Share>;

/**
 * Changes whom a share names. If it has changed meanwhile, what it is now is changed the same way. Without anyone, it is its
 * owner's alone.
 */
export const changeReaders = async (
  id: string,
  toReaders: (readers: readonly number[]) => readonly number[],
  keepalive = false,
): Promise<void> => {
  let share = findShare(id) ?? (await readShare(id));
  for (let attempts = 1; ; attempts++) {
    const readers = [...toReaders(share.readers)];
    try {
      const changed = await api.call('PUT /api/share/{id}', {
        params: { id },
        body: readers.length > 0 ? { audience: 'people', readers } : { audience: 'private' },
        ifMatch: share.version,
        keepalive,
      });
      update([changed]);
      return;
    } catch (error) {
      if ((error as ApiError).status !== 412 || attempts > 1) throw error;
      share = await readShare(id);
      update([share]);
    }
  }
};

const setRemoving = (key: string, isRemoving: boolean): void => {
  const keys = new Set(removing.value);
  if (isRemoving) keys.add(key);
  else keys.delete(key);
  removing.value = keys;
};

/** Removes a reader of a share, which can be undone for some seconds. */
export const removeReader = (shareId: string, reader: { id: number; name: string }): void => {
  const { id, name } = reader;
  const key = toKey(shareId, id);
  setRemoving(key, true);
  doUndoably({
    text: texts.removed(name),
    commit: async ({ keepalive }) => {
      setRemoving(key, true);
      await changeReaders(shareId, (readers) => readers.filter((one) => one !== id), keepalive);
      setRemoving(key, false);
    },
    putBack: () => setRemoving(key, false),
    describeFailure: ({ message }) => texts.notRemoved(name, message),
  });
};
