import { confirm } from '../components/dialog.tsx';
import { trashTexts as texts } from './trash-texts.ts';

/** Asks before something is deleted for good, given by its name or number. Returns whether the user agrees. */
export const agreesToPurge = (what: string): Promise<boolean> =>
  confirm({ title: texts.purgeTitle(what), text: texts.purgeText, action: texts.purge });
