import { createItemWrite, type Write } from '../../../../shared/db/transaction.ts';
import { createAccessWrite } from './access-state.ts';
import { scheduleEnd } from './expiry-schedule.ts';
import { shareKeys } from './keys.ts';
import { addToListsWrite } from './list-entry.ts';
import type { StoredShare } from './share.ts';

/** Creates the writes of a new share with its access item, texts and list entries, for the transaction that counts and audits it. */
export const createShareWrites = (
  share: StoredShare,
  texts: Write | undefined,
): readonly (Write | undefined)[] => [
  createItemWrite(shareKeys.record.at({ id: share.id }), share),
  createAccessWrite(share),
  scheduleEnd(share),
  addToListsWrite(share),
  texts,
];
