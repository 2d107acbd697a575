import { signal } from '@preact/signals';
import { getActionText } from '../../../../browser/audit-texts.ts';
import { toast } from '../../../../browser/components/toast.tsx';
import { saveFile, toCsv } from '../../../../browser/data/csv.ts';
import { formatNumber } from '../../../../browser/data/format.ts';
import { showFailure } from '../../../../browser/shell/feedback.ts';
import { auditTexts as texts } from '../../texts.ts';
import { type Entry, getActorName, readEntries, view } from './state.ts';

/** How many entries a file has at most: 50 requests. */
const maxEntries = 5_000;

export const isDownloading = signal(false);

/** Returns today in the time zone of the browser, such as `2026-11-21`. */
const getToday = (): string => {
  const now = new Date();
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())}`;
};

const header = [
  'at',
  'action',
  'change',
  'actorId',
  'actor',
  'tokenId',
  'token',
  'client',
  'tool',
  'subject',
  'subjectName',
  'address',
  'requestId',
  'before',
  'after',
];

const toRow = (entry: Entry): readonly string[] => [
  entry.at,
  entry.action,
  getActionText(entry.action),
  String(entry.actor?.id ?? ''),
  getActorName(entry),
  String(entry.token?.id ?? ''),
  entry.token?.name ?? '',
  entry.via?.client ?? '',
  entry.via?.tool ?? '',
  entry.subject,
  entry.subjectName ?? '',
  entry.address,
  entry.requestId,
  entry.before ? JSON.stringify(entry.before) : '',
  entry.after ? JSON.stringify(entry.after) : '',
];

/** Saves the entries that match the filters as CSV. */
export const download = async (): Promise<void> => {
  if (isDownloading.value) return;
  isDownloading.value = true;
  try {
    const { entries, isWhole } = await readEntries(view.value, maxEntries);
    const csv = toCsv([header, ...entries.map(toRow)]);
    saveFile(texts.fileName(getToday()), csv, 'text/csv;charset=utf-8');
    const count = formatNumber(entries.length);
    toast({ text: isWhole ? texts.downloaded(count) : texts.downloadedNewest(count) });
  } catch (error) {
    showFailure((error as Error).message, download);
  } finally {
    isDownloading.value = false;
  }
};
