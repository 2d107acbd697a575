import { revisionTexts } from '../../browser/revisions/texts.ts';

/** Texts of the page of a share’s revisions. */
export const revisionsTexts = {
  ...revisionTexts,
  title: (share: string) => `Revisions of ${share}`,
  back: 'Back to snippet',
  kept: 'Each change of the content keeps the previous one: the last 50 of 30 days, up to 16 MB in all.',
  sealed:
    'This snippet is sealed, and so are its revisions: the service can’t show, compare or restore them.',
  none: 'There are no revisions.',
  until: 'Until',
  raw: 'Raw',
  revisionUntil: 'Revision until',
} as const;
