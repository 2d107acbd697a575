import { revisionTexts } from '../../browser/revisions/texts.ts';

/** Texts of the revisions of a document. */
export const revisionsTexts = {
  ...revisionTexts,
  comparedWith: 'Compared with',
  close: 'Back to document',
  all: 'All revisions',
  kept: 'What was here before someone else changed it, and every 10 minutes while you write: the last 50 of 90 days, up to 16 MB in all.',
  none: 'No revisions yet',
  noneText: 'Keep writing: what changes is kept here.',
  you: 'You',
  someone: 'Deleted user',
  written: (time: string) => `Written ${time}`,
  title: (from: string, to: string) => `Title: “${from}”, then “${to}”`,
  restored: (time: string) => `Restored the revision of ${time}`,
  isSame: 'The document is the same already.',
  notRestored: (reason: string) => `Couldn’t restore. ${reason}`,
  changedMeanwhile: 'Someone changed this document. Look at the changes again before you restore.',
  undo: 'Undo',
} as const;
