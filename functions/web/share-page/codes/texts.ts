/** Texts of the pages that ask for a code. */
export const codeTexts = {
  ask: 'Someone shared a snippet with you',
  askWhy: 'It opens with a code that we send to your email address.',
  sendTo: (address: string) => `Send code to ${address}`,

  sent: 'Check your email',
  sharedWith: 'This snippet was shared with',
  sentWhy: 'We sent a code to this address.',
  code: '6-digit code',
  hint: 'Works for 10 minutes. Check your spam folder too.',
  open: 'Open snippet',
  again: 'Send a new code',
  nothing: 'Nothing arrived?',
  wait: (seconds: number) =>
    `in ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`,

  incomplete: 'Enter the 6 digits of the code.',
  faults: {
    incorrect: 'Incorrect code.',
    former: 'That isn’t the newest code.',
    expired: 'That code doesn’t work any more. Send a new code.',
    spent: 'Too many attempts. Send a new code.',
  },
  left: (left: number) => (left === 1 ? '1 attempt left.' : `${left} attempts left.`),
  tooMany: (minutes: number) =>
    minutes < 60
      ? `Too many codes were sent. Try again in ${minutes} min.`
      : `Too many codes were sent. Try again in ${Math.ceil(minutes / 60)} h.`,
} as const;
