import { createItemWrite, type Write } from '../../../../shared/db/transaction.ts';
import { createAccessWrite } from '../record/access-state.ts';
import { scheduleEnd } from '../record/expiry-schedule.ts';
import { shareKeys } from '../record/keys.ts';
import { addToListsWrite } from '../record/list-entry.ts';
import type { StoredShare } from '../record/share.ts';

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
