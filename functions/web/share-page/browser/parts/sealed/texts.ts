/** Texts of a sealed share’s page that its script shows. */
export const sealedTexts = {
  ready:
    'Your link has the key. The snippet is decrypted here, in your browser: this service can’t read it.',
  readyInTab:
    'This tab has the key. The snippet is decrypted here, in your browser: this service can’t read it.',
  enterPassphrase: 'Enter the passphrase',
  passphraseWhy:
    'Your link has one part of the key, and the passphrase is the other. Both stay in your browser: this service can’t read the snippet.',
  incomplete: 'This link is incomplete',
  incompleteWhy:
    'The snippet is sealed, and its key is missing. Ask the person who shared it for the whole link, with the part behind the #.',
  ownIncompleteWhy:
    'Your snippet is sealed, and its key is missing: the part of the link behind the #. This service doesn’t have it and can’t recover it. Look for the whole link where you sent it.',
  otherKey: 'This key doesn’t open it',
  broken: 'The part behind the # is no whole key: something is missing or was added.',
  noKey: 'This has no whole key. Paste the link with all that is behind the #.',
  otherService: (host: string) => `This is a link to ${host}. Open it there.`,
  passphraseMissing: 'Enter the passphrase.',
  opening: 'Opening…',
  opened: 'Snippet opened.',

  wrongKey:
    'Your link has the key of another snippet, or it was mistyped. No view was used. Paste the whole link, or ask the person who shared it.',
  wrongPassphrase: 'Incorrect passphrase. Try again. No view was used.',
  wrongOwnKey:
    'Your link has another key, or the content was changed or damaged. Nothing is shown. Paste the whole link of your snippet.',
  wrongOwnPassphrase:
    'Incorrect passphrase, or the content was changed or damaged. Nothing is shown. Try again.',
  damaged: 'The content was changed or damaged on its way here, so nothing is shown.',
  newer: 'The snippet was sealed by a newer version of Handbill. Reload the page to open it.',
  tooMany: (minutes: number) =>
    minutes === 1
      ? 'Too many attempts. Try again in 1 minute.'
      : `Too many attempts. Try again in ${minutes} minutes.`,
  sameView: 'Trying again within a minute is the same view.',
  gone: 'It can’t be opened any more.',
  notLoaded: 'A part of this page didn’t load. Nothing was opened. Reload the page and try again.',
  noCrypto:
    'Your browser can’t decrypt on this page. Open the link over HTTPS in a current browser.',
  notShown: 'The snippet can’t be shown. Reload the page and try again.',

  untitled: 'Sealed snippet',
  downloadSource: 'Download source',
  files: 'Files',
  unnamed: 'Unnamed file',
  filesAbove: (count: number) => (count === 1 ? '1 file' : `${count} files`),
  downloadOf: (name: string) => `Download ${name}`,
  downloaded: (name: string) => `${name} downloaded`,
  notReached: 'Can’t reach the server. Check your connection and try again.',
  fileTimeOver: 'The time to download it is over. Reload the page and open the snippet again.',
  fileGone:
    'This file isn’t there any more, or the snippet was changed. Reload the page and open it again.',
  fileDamaged: 'The file was changed or damaged, so it isn’t saved.',
  asSource: 'This Markdown can’t be shown as a page. This is its source.',
} as const;
