/** What our pages say, in English, part by part; a script gets those parts only that it uses. */

export const siteTexts = {
  brand: 'Handbill',
  navigation: 'Handbill',
  new: 'New',
  myShares: 'My shares',
  account: 'Account',
  signIn: 'Sign in',
  skip: 'Skip to the content',
  needsScript: 'This page needs JavaScript. Turn it on and load the page again.',
} as const;

export const commonTexts = {
  unreachable: 'The service can’t be reached. Try again in a moment.',
  failed: 'Something went wrong. Try again.',
  copied: 'Copied.',
  copyByHand: 'It is selected: copy it by hand.',
} as const;

export const checkinTexts = {
  title: 'Daily check-in',
  points: 'Points',
  streak: 'Streak',
  checkIn: 'Check in',
  openToday: 'Not checked in yet today.',
  doneToday: (next: string) => `Checked in today. The next one is open from ${next}.`,
  earned: (points: number) => `You earned ${points} points.`,
} as const;

/** The page of a share, its forms and its failures. */
export const sharePageTexts = {
  untitled: 'Shared snippet',
  by: 'By',
  edited: 'Edited',
  ends: 'Ends',
  viewsLeft: (left: number) =>
    left === 0 ? 'This was its last view' : left === 1 ? '1 view left' : `${left} views left`,
  actions: 'This snippet',
  copyLink: 'Copy link',
  copySource: 'Copy source',
  raw: 'Raw',
  download: 'Download',
  fullScreen: 'Full screen',
  linkCopied: 'Link copied',
  sourceCopied: 'Source copied',
  notCopied: 'Copying failed: select it in “Raw”',
  madeByUser: 'Made by a user and shown as it was sent.',
  report: 'Report',
  poweredBy: 'Shared with Handbill',
  sharedBy: (author: string) => `Shared by ${author}`,
  table: 'Table',
  checked: 'Done',
  unchecked: 'To do',
  blocked: (count: number) =>
    count === 1 ? '1 request of this snippet was blocked' : `${count} requests of this snippet were blocked`,
  blockedMany: 'Many requests of this snippet were blocked',
  blockedWhy: 'Snippets may load pictures, styles and scripts over https, and send nothing. Blocked:',
  blockedKinds: {
    connect: 'connection',
    img: 'picture',
    script: 'script',
    style: 'style',
    font: 'font',
    media: 'audio or video',
    frame: 'frame',
    form: 'form',
    other: 'other',
  },

  openTitle: 'Open a shared snippet',
  openHeading: 'Someone shared a snippet with you',
  openCost: (left: number) => `This uses 1 of ${left} views.`,
  openProtected: 'It is protected by a password.',
  password: 'Password',
  passwordWrong: 'The password is wrong. Try again.',
  open: 'Open it',
  openFirst: 'Open the share first',
  openFirstWhy: 'It has a password or a limit of views, and what you opened is no longer open.',
  openFirstLink: 'Go to the share',

  reportTitle: 'Report a share',
  reportWhy: 'Tell us what is wrong with it. Somebody will look at it and may take it down.',
  reportReason: 'What is wrong?',
  reportHint: 'From 3 to 1000 characters',
  reportWrong: 'Write from 3 to 1000 characters.',
  reportSend: 'Send the report',
  reportBack: 'Back to the share',
  reported: 'Thank you',
  reportedText: 'Your report is sent. Somebody will look at it.',

  notFound: 'Nothing here',
  notFoundText: 'There is no share at this address, or its owner has deleted it.',
  notOpened: 'Not opened',
  tooMany: 'Too many tries',
  busy: 'Busy right now',
  busyText: 'Try again in a moment.',
  failed: 'Something went wrong',
  failedText: (requestId: string) =>
    `This is our fault, not yours. It is noted as ${requestId}.`,
} as const;
