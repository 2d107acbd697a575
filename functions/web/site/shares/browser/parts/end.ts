import { dateLanguage } from '../../../../browser/shell/preferences.ts';
import { sharesTexts as texts } from '../../texts.ts';
import type { Share } from './state.ts';

const isToday = (time: Date): boolean => time.toDateString() === new Date().toDateString();

/** Says when something ends: `Today, 18:00`, `29 Nov`; once it has, only the day. */
export const describeTime = (expiresAt: string, hasEnded: boolean): string => {
  const language = dateLanguage.read();
  const time = new Date(expiresAt);
  if (isToday(time) && !hasEnded) {
    return texts.today(time.toLocaleTimeString(language, { timeStyle: 'short' }));
  }
  const isThisYear = time.getFullYear() === new Date().getFullYear();
  return time.toLocaleDateString(language, {
    day: 'numeric',
    month: 'short',
    ...(!isThisYear && { year: 'numeric' }),
  });
};

/** Says when a share ends, or by what it did. */
export const describeEnd = ({ status, endedBy, expiresAt }: Share): string => {
  if (status === 'ended' && endedBy === 'views') return texts.opened;
  if (expiresAt === null) return status === 'ended' ? texts.nothing : texts.never;
  return describeTime(expiresAt, status !== 'active');
};
