import { saveFile, toCsv } from '../../../../../browser/data/csv.ts';
import { drawerTexts } from '../../../drawer-texts.ts';
import type { Reader } from './readers.ts';
import { toState } from './recipient-row.tsx';
import type { Recipient } from './recipients.ts';

const texts = drawerTexts.receipts;

/** Offers who has opened a share, and who could, as a file for spreadsheets. Times are in UTC (ISO 8601). */
export const saveReceipts = (
  readers: readonly Reader[],
  recipients: readonly Recipient[],
): void => {
  const ofReaders = readers.map(({ name, email, times, firstOpenedAt, lastOpenedAt }) => [
    ...[name ?? drawerTexts.deletedUser, email ?? ''],
    ...[times > 0 ? drawerTexts.opened : '', '', ''],
    ...[firstOpenedAt ?? '', lastOpenedAt ?? '', String(times), ''],
  ]);
  const ofRecipients = recipients.map((recipient) => {
    const state = toState(recipient);
    const { label, email, sentAt, verifiedAt, firstOpenedAt, lastOpenedAt } = recipient;
    return [
      ...[label, email, state ? drawerTexts.outside.states[state] : ''],
      ...[sentAt ?? '', verifiedAt ?? '', firstOpenedAt ?? '', lastOpenedAt ?? ''],
      ...[String(recipient.times), recipient.bounceReason ?? ''],
    ];
  });
  saveFile(texts.file, toCsv([texts.columns, ...ofReaders, ...ofRecipients]), 'text/csv');
};
