import { createItemWrite, type Write } from '../../../../shared/db/transaction.ts';
import { shareKeys } from './keys.ts';
import type { StoredShare } from './share.ts';

/** Creates the write that adds a share to its owner's list and, through the index, to the list of all shares. */
export const addToListsWrite = ({ id, ownerId, createdAt }: StoredShare): Write => {
  const all = shareKeys.all.at({ createdAt, id });
  return createItemWrite(shareKeys.byOwner.at({ ownerId, createdAt, id }), {
    id,
    gsi1pk: all.pk,
    gsi1sk: all.sk,
  });
};
