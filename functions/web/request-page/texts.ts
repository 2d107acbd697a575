import { formatBytes } from '../../../shared/text/format-bytes.ts';
import { type Html, html } from '../../../shared/text/html.ts';
import type { Format } from '../../api/share/intake/content.ts';

/** Texts of the pages of a share request. */
export const requestTexts = {
  asks: (name: Html): Html => html`${name} asks you for something`,
  proven: 'Email address verified',
  unproven: 'Email address not verified',
  ends: 'Open until',
  name: 'Your name',
  text: 'Text',
  format: 'Show it as',
  formats: { text: 'Plain text', markdown: 'Markdown', html: 'HTML' } satisfies Record<
    Format,
    string
  >,
  files: 'Files',
  filesHint: (files: number, bytes: number) =>
    `Up to ${files} text files. Together with the text, up to ${formatBytes(bytes)}.`,
  send: 'Send',
  goesTo: (name: string) => `Only ${name} gets it. You can’t open it again.`,
  madeByUser: 'This request was created by a user. Don’t send passwords.',
  report: 'Report this request',

  nameWrong: (length: number) => `Enter your name: one line of up to ${length} characters.`,
  empty: 'Enter a text, or choose a file.',
  tooLarge: (bytes: number) => `This is more than ${formatBytes(bytes)}. Send less at once.`,
  binary: (file: string) => `“${file}” isn’t a text file. Choose the files again, without it.`,
  again: 'Choose the files again, too.',
  tooSlow: 'The Markdown is too complex. Send it as plain text.',
  full: (name: string) => `${name} has no storage left. Tell them, and send it again later.`,

  passwordTitle: 'Enter the password',
  passwordWhy: 'This request is password-protected. Ask the person who sent you the link.',
  password: 'Password',
  passwordHint: '6 letters or digits',
  passwordIncorrect: 'Incorrect password. Try again.',
  passwordAgain: 'Enter the password again.',
  continue: 'Continue',

  received: 'Received',
  receivedBy: (name: Html): Html => html`${name} got it.`,
  receipt: 'Your receipt number',
  receiptHint: 'Keep it to refer to what you sent. You can’t open it again.',
  another: 'Send something else',

  reportWhy:
    'Tell us what’s wrong. A moderator will review the report and may take the request down.',
  reportReason: 'What’s wrong with it?',
  reportHint: '3 to 1,000 characters',
  reportWrong: 'Enter 3 to 1,000 characters.',
  reportSend: 'Send report',
  reportBack: 'Back to request',
  reported: 'Report sent',
  reportedText: 'Thank you. A moderator will review it.',

  gone: {
    full: 'It has everything that was asked for. If something is missing, tell the person who sent you the link.',
    expired: 'Ask the person who sent you the link for a new one.',
    closed: 'It takes nothing more. Ask the person who sent you the link.',
    'taken-down': 'A moderator removed it.',
  },
  notFound: 'Request not found',
  notFoundText: 'The link is wrong, or the request was deleted.',
  notSent: 'This wasn’t sent',
  tooMany: 'Too many attempts',
  busy: 'Temporarily unavailable',
  busyText: 'Try again in a moment.',
  failed: 'Something went wrong',
  failedText: 'This is our fault. Try again later.',
} as const;
