import '../../../../browser/record-page.ts';
import { confirm } from '../../../../browser/components/dialog.tsx';
import { formatNumber } from '../../../../browser/data/format.ts';
import { documentsTexts as texts } from '../../texts.ts';
import type { Document } from './state.ts';

/** Asks before documents are deleted for good. Returns whether the user agrees. */
export const agreesToPurge = (documents: readonly Document[]): Promise<boolean> => {
  const [first] = documents;
  return confirm({
    title:
      documents.length === 1 && first
        ? texts.purgeTitle(first.title)
        : texts.purgeSomeTitle(formatNumber(documents.length)),
    text: texts.purgeText,
    action: texts.purge,
  });
};
