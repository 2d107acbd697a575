/** Texts of the script of share pages. */
export const shareScriptTexts = {
  qrCode: 'QR code',
  noQrCode: 'Couldn’t load the QR code. Reload the page and try again.',
  qrCodeOf: (link: string) => `QR code for ${link}`,
  close: 'Close',
  linkCopied: 'Link copied',
  embedCopied: 'Embed code copied',
  embedNotCopied: 'Couldn’t copy the embed code.',
  sourceCopied: 'Source copied',
  codeCopied: 'Code copied',
  linkNotCopied: 'Couldn’t copy the link.',
  notRestored: 'Couldn’t restore the revision. Reload the page and try again.',
  notCopied: 'Couldn’t copy. Copy it from “Raw” instead.',
} as const;
