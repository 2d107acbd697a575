import { copyTexts as texts } from '../../copy-texts.ts';
import type { StoredOptions } from './options.ts';

export { texts };

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** Returns a time as the value of a field for local times. */
const toLocalTime = (time: string): string => {
  const at = new Date(time);
  const date = [at.getFullYear(), twoDigits(at.getMonth() + 1), twoDigits(at.getDate())].join('-');
  return `${date}T${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`;
};

/** Returns the options of a copy as fields of the form: not the name and password, of which it gets others. */
export const getCopiedFields = (share: StoredOptions): Readonly<Record<string, string>> => ({
  embedOrigins: share.embedOrigins.join(' '),
  notify: share.notify ? '1' : '',
  readersCanEnd: share.readersCanEnd ? '1' : '',
  showsRevisions: share.showsRevisions ? '1' : '',
  viewLimit: String(share.viewLimit ?? ''),
  ...(share.protected && { passwordMode: 'random' }),
  ...(share.expiresAt !== null && { expires: 'date', expiresAt: toLocalTime(share.expiresAt) }),
});
