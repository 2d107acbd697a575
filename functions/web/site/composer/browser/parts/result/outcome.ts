import type { FoundPerson } from '../../../../../browser/people/directory.ts';
import type { IconName } from '../../../../../layout/icons.ts';
import { audienceIcons } from '../../../audience-icons.ts';
import { resultTexts as texts } from '../../../result-texts.ts';
import { composerTexts } from '../../../texts.ts';
import { describeReaders } from '../audience/readers.ts';
import { type Chosen, chosen } from '../options.ts';
import { findEnd } from '../sending/body.ts';
import { formatTime } from '../times.ts';

/** What the dialog says of a share that was stored. */
export interface Outcome {
  readonly audience: Chosen['audience'];
  readonly icon: IconName;
  readonly tint: '' | 'warn' | 'acc';
  readonly title: string;
  /** Who can open it, and until when. */
  readonly about: string;
  /** Whether the first opening ends it. */
  readonly isBurning: boolean;
  /** Those who were chosen. */
  readonly people: readonly FoundPerson[];
}

const toTitle = ({ audience, people }: Chosen): string => {
  if (audience === 'people') return texts.sharedWith(people.length);
  return { link: texts.shared, members: texts.sharedWithAll, private: texts.onlyForYou }[audience];
};

const describe = (options: Chosen): string => {
  const { audience, hasPassword, isSealed } = options;
  if (audience === 'private') return texts.noOneElse;
  if (audience !== 'people') return describeReaders(options);
  if (isSealed) return texts.onlyTheyWithLink;
  return hasPassword ? composerTexts.withPassword(texts.onlyThey) : texts.onlyThey;
};

/** Describes a share with the selected options. */
export const describeOutcome = (isEdit: boolean): Outcome => {
  const options = chosen.value;
  const { audience, people } = options;
  const views = Number(options.views);
  const isBurning = !isEdit && views === 1 && audience !== 'private';
  const end = findEnd();
  const about = [
    isBurning ? texts.burnWhy : describe(options),
    end !== undefined && composerTexts.ends(formatTime(end)),
    views > 0 && !isBurning && composerTexts.viewsCount(views),
  ];
  const title = isEdit ? texts.saved : toTitle(options);
  const isOpen = audience === 'link' || isEdit;
  return {
    audience,
    people: audience === 'people' ? people : [],
    isBurning,
    title: isBurning ? texts.burns : title,
    about: about.filter(Boolean).join(' · '),
    ...(isBurning
      ? { icon: 'fire', tint: 'warn' }
      : { icon: isOpen ? 'check' : audienceIcons[audience], tint: isOpen ? '' : 'acc' }),
  };
};
