import { copyTexts as texts } from '../../../copy-texts.ts';
import { type StoredShare, toReaders } from './values.ts';

export { texts };

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** Returns a time as the value of a field for local times. */
const toLocalTime = (time: string): string => {
  const at = new Date(time);
  const date = [at.getFullYear(), twoDigits(at.getMonth() + 1), twoDigits(at.getDate())].join('-');
  return `${date}T${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`;
};

/**
 * Returns the fields of the form for a copy of a share with these options: not the name, password and passphrase, of which
 * it gets others.
 */
export const getCopiedFields = (
  share: StoredShare,
  { slug, ...options }: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> => ({
  ...options,
  ...toReaders(share),
  ...(share.protected && { passwordMode: 'random' }),
  ...(share.sealed && { sealed: '1', hasPassphrase: share.passphrase ? '1' : '' }),
  ...(share.expiresAt !== null && { expires: 'date', expiresAt: toLocalTime(share.expiresAt) }),
});
