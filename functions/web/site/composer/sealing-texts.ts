/** Texts of the composer about sealed shares, which are loaded with the first. */
export const sealingTexts = {
  textTooLong: 'This text is too long to be sealed. Add it as a file',
  needsHttps: 'Not shared: sealing needs HTTPS, which this page doesn’t have.',
  title: 'Open this sealed share',
  about:
    'The service can’t read it. Paste its whole link, with the part behind the #. The key stays in this browser.',
  keyIsHere: 'Its key is in this tab. Enter the passphrase, too.',
  link: 'Whole link',
  passphrase: 'Passphrase',
  open: 'Open',
  otherLink: 'Use another link',
  back: 'Back to my shares',
  noKey: 'This link has no key. Paste all of it, with the part behind the #.',
  wrongKey: 'This key doesn’t open the share. Check that the link is the one of this share.',
  wrongPassphrase: 'The passphrase or the link doesn’t open the share. Check both.',
  noPassphrase: 'Enter the passphrase.',
  unreadable:
    'The stored content was changed or damaged, or needs a newer version of this page. Nothing of it is shown.',
  lost: 'Without its whole link, the content of a sealed share can’t be recovered by anyone. You can still end or delete the share.',
} as const;
