/** Texts of the pages in the place of a share. */
export const gateTexts = {
  report: 'Report this snippet',

  password: 'Password',
  enterPassword: 'Enter the password',
  enterPasswordWhy: 'This snippet is password-protected. Ask the person who sent you the link.',
  passwordHint: '6 letters or digits',
  passwordIncorrect: 'Incorrect password. Try again.',
  openHeading: 'Someone shared a snippet with you',
  openCost: (left: number) =>
    left === 1 ? 'Opening it uses the last view.' : `Opening it uses 1 of ${left} remaining views.`,
  openAgain: 'You had the last view a moment ago. Opening it again uses none.',
  open: 'Open snippet',
  openFirst: 'Open the snippet first',
  openFirstWhy: 'It has a password or a view limit, and your access has expired.',
  openFirstLink: 'Go to snippet',

  sealed: 'This snippet is sealed',
  sealedWhy:
    'It is encrypted. Only the whole link, with the key behind the #, opens it: this service can’t read it.',
  passphrase: 'Passphrase',
  passphraseHint: 'Ask the person who sent you the link.',
  wholeLink: 'Whole link',
  wholeLinkHint: 'It stays in this browser. Without the key, nothing is sent and no view is used.',
  useLink: 'Use this link',

  signInFirst: 'Sign in to open this',
  signInFirstWhy: 'It was shared with people here. Sign in, and it opens if you’re one of them.',
  signIn: 'Sign in',
  createAccount: 'Create account',
  comeBack: 'You come back to this page afterwards.',
  keepFirst: 'Keep your account to open this',
  keepFirstWhy:
    'It waits to be deleted. Until you keep it, you can’t open what is shared with you.',
  keep: 'See your account',
  verifyFirst: 'Verify your email to open this',
  verifyFirstWhy:
    'It was shared with people here. Verify your email address, and it opens if you’re one of them.',
  verify: 'Verify email address',
  enrolFirst: 'Set up a second factor to open this',
  enrolFirstWhy:
    'It was shared with people here, and your role requires a second factor. Set one up, and it opens if you’re one of them.',
  enrol: 'Set up a second factor',

  notFound: 'Snippet not found',
  notFoundWhy: 'The link is wrong, or the snippet was deleted.',
  notFoundForAccount:
    'The link is wrong, the snippet was deleted, or it wasn’t shared with this account.',
  notFoundByName: 'The link is wrong, the snippet was deleted, or you need to sign in to see it.',
  switchAccount: 'Switch',
  switchAccountWhy: 'Switch account',
  notSwitched: 'Couldn’t sign out. Try again.',
  sharedWithMe: 'What’s shared with me',
} as const;
