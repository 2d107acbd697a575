/** Texts of a sealed share’s page that its script shows. */
export const sealedTexts = {
  ready:
    'Your link has the key. The snippet is decrypted here, in your browser: this service can’t read it.',
  enterPassphrase: 'Enter the passphrase',
  passphraseWhy:
    'Your link has one part of the key, and the passphrase is the other. Both stay in your browser: this service can’t read the snippet.',
  incomplete: 'This link is incomplete',
  incompleteWhy:
    'The snippet is sealed, and its key is missing. Ask the person who shared it for the whole link, with the part behind the #.',
  ownIncompleteWhy:
    'Your snippet is sealed, and its key is missing: the part of the link behind the #. This service doesn’t have it and can’t recover it. Look for the whole link where you sent it.',
  broken: 'The part behind the # is no whole key: something is missing or was added.',
  noKey: 'This has no whole key. Paste the link with all that is behind the #.',
  otherService: (host: string) => `This is a link to ${host}. Open it there.`,
  passphraseMissing: 'Enter the passphrase.',
  opening: 'Opening…',
  opened: 'Snippet opened.',

  wrongKey:
    'The key of this link doesn’t open the snippet. Check that you have the whole link. No view was used.',
  wrongPassphrase: 'Incorrect passphrase. Try again. No view was used.',
  wrongOwnKey:
    'This key doesn’t open your snippet, or its content was changed or damaged. Nothing is shown.',
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
  reload: 'Reload the page',
  notLoaded: 'A part of this page didn’t load. Nothing was opened. Reload the page and try again.',
  noCrypto:
    'Your browser can’t decrypt on this page. Open the link over HTTPS in a current browser.',
  notShown: 'The snippet can’t be shown. Reload the page and try again.',

  untitled: 'Sealed snippet',
  downloadSource: 'Download source',
  files: 'Files',
  filesAbove: (count: number) => (count === 1 ? '1 file' : `${count} files`),
  download: 'Download',
  downloadOf: (name: string) => `Download ${name}`,
  downloading: (name: string) => `Downloading ${name}`,
  downloaded: (name: string) => `${name} downloaded`,
  notReached: 'Can’t reach the server. Check your connection and try again.',
  fileTimeOver: 'The time to download it is over. Reload the page and open the snippet again.',
  fileDamaged: 'The file was changed or damaged, so it isn’t saved.',
  asSource: 'This Markdown can’t be shown as a page. This is its source.',
} as const;
