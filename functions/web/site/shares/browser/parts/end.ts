import { dateLanguage } from '../../../../browser/shell/preferences.ts';
import { sharesTexts as texts } from '../../texts.ts';
import type { Share } from './state.ts';

const isToday = (time: Date): boolean => time.toDateString() === new Date().toDateString();

/** Says when a share ends, or by what it did: `Today, 18:00`, `29 Nov`. */
export const describeEnd = ({ status, endedBy, expiresAt }: Share): string => {
  if (status === 'ended' && endedBy === 'views') return texts.opened;
  if (expiresAt === null) return status === 'ended' ? texts.nothing : texts.never;
  const language = dateLanguage.read();
  const time = new Date(expiresAt);
  if (isToday(time) && status === 'active') {
    return texts.today(time.toLocaleTimeString(language, { timeStyle: 'short' }));
  }
  const isThisYear = time.getFullYear() === new Date().getFullYear();
  return time.toLocaleDateString(language, {
    day: 'numeric',
    month: 'short',
    ...(!isThisYear && { year: 'numeric' }),
  });
};
