import { fileTexts, lineTexts } from '../../browser/import/texts.ts';

/** A count, as a number and as it is shown. */
type Count = readonly [count: number, shown: string];

const users = ([count, shown]: Count): string => `${shown} user${count === 1 ? '' : 's'}`;

/** Texts of importing a file of users. */
export const importTexts = {
  ...fileTexts,
  lines: lineTexts,
  title: 'Import users',
  back: 'Back to users',
  labels: {
    email: 'Email',
    name: 'Name',
    username: 'Username',
    role: 'Role',
    permissions: 'Extra permissions',
    status: 'Status',
    phone: 'Phone',
    timezone: 'Time zone',
    avatar: 'Avatar',
  },
  formats: {
    email: 'Required. A user who exists is left alone.',
    name: 'Required, 2 to 100 characters',
    username: 'Left out, it’s made from the email address',
    role: 'Such as user or guest; the default is user',
    permissions: 'Beyond those of the role, such as sales:view files:*',
    status: 'active, inactive or suspended; the default is active',
    phone: 'Such as +49 30 1234567',
    timezone: 'Such as Europe/Berlin',
    avatar: 'The address of a picture',
  },
  empty: 'The file has no users. Its first line names the columns, and each other line is a user.',
  checking: (done: string, count: string) => `Checking ${done} of ${count}`,
  checkProgress: 'Progress of the check',
  checkAgain: 'Check again',
  preview: (shown: number) => (shown === 1 ? 'The first new user' : `The first ${shown} new users`),
  fresh: (count: Count) => `${users(count)} can be created.`,
  nothingNew: 'No line can be imported.',
  existing: (count: Count) => `${users(count)} exist${count[0] === 1 ? 's' : ''} already.`,
  leftOut: ([count, shown]: Count) =>
    count === 1
      ? '1 line has errors and is left out.'
      : `${shown} lines have errors and are left out.`,
  invite: (count: Count) => `Create and invite ${users(count)}`,
  create: (count: Count) => `Create ${users(count)}`,
  stopped: (count: Count) => `Stopped. ${users(count)} left.`,
  created: (count: Count) => `${users(count)} created`,
  createdInvited: (count: Count) => `${users(count)} created and invited`,
  existed: (shown: string) => `${shown} existed before`,
  failed: ([count, shown]: Count) => `${shown} line${count === 1 ? '' : 's'} failed`,
  links: 'Invitation links',
  linksAbout:
    'No email is sent, so pass each link on to its user. They’re shown only now; a new one can be created later.',
  linkOf: (email: string) => `Link for ${email}`,
  copyOf: (email: string) => `Copy the link for ${email}`,
  saveLinks: 'Download as CSV',
  linkColumns: ['email', 'link'],
  linkFile: 'invitation-links.csv',
  showUsers: 'Show users',
} as const;
