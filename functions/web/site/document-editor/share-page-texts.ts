/** Texts of sharing what a document says as a page. */
export const sharePageTexts = {
  sharedTitle: 'Your page is ready',
  sharedText: 'Anyone with the link can read what the document says now.',
  link: 'Link',
  copy: 'Copy link',
  copied: 'Link copied',
  notCopied: 'Couldn’t copy the link.',
  openPage: 'Open page',
  notShared: (reason: string) => `Couldn’t share. ${reason}`,
} as const;
