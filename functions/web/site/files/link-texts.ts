/** Texts of “Share as a link” on the files page. */
export const linkTexts = {
  shareAsLink: 'Share as a link',
  title: (name: string) => `Share “${name}” as a link`,
  about:
    'A copy of the file gets a page with a link. Later changes of the file don’t change the page.',
  cancel: 'Cancel',
  create: 'Create link',
  created: (name: string) => `“${name}” is shared`,
  link: 'Link',
  audiences: {
    private: 'Only you can open it.',
    people: 'Only the people you choose can open it.',
    members: 'Everyone here can open it, signed in.',
    link: 'Anyone with the link can open it.',
  },
  copy: 'Copy',
  copied: 'Link copied',
  options: 'Options',
  open: 'Open page',
  close: 'Done',
} as const;
