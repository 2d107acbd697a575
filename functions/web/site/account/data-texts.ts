import { times } from './account-texts.ts';

/** Texts of what the user takes out of the service, on the account page. */
export const dataTexts = {
  title: 'Your data',
  ownData: 'Download my data',
  about: (isMailOn: boolean) =>
    `Shares, documents, files, messages and calendar as one ZIP. ${
      isMailOn ? 'We’ll email you when it’s ready.' : 'You’ll be notified when it’s ready.'
    }`,
  request: 'Request download',
  requestAgain: 'Request a new one',
  requested: 'We’re preparing your data.',
  kinds: {
    'own-data': 'My data',
    users: 'Users',
    sales: 'Sales',
    audit: 'Audit log',
    shares: 'Shares',
  },
  ownShares: 'My shares',
  formats: { zip: 'ZIP', csv: 'CSV', ndjson: 'NDJSON' },
  preparing: 'Preparing…',
  canLeave: 'You can leave this page.',
  readyUntil: (day: string) => `Ready until ${day}`,
  rows: (count: number) => times(count, '1 row', '# rows'),
  files: (count: number) => times(count, '1 file', '# files'),
  askedFor: (age: string) => `requested ${age}`,
  failed: 'Failed',
  tryAgain: 'Try again',
  download: 'Download',
  downloadOf: (name: string) => `Download: ${name}`,
  started: 'The download begins',
  cancel: 'Cancel',
  cancelOf: (name: string) => `Cancel: ${name}`,
  canceled: 'Canceled',
  delete: 'Delete',
  deleteOf: (name: string) => `Delete: ${name}`,
  actionsFor: (name: string) => `Actions for ${name}`,
  confirmDelete: (name: string) => `Delete “${name}”?`,
  confirmDeleteText: 'The prepared file is deleted. Your data stays.',
  deleted: 'File deleted',
  removed: 'Removed',
  leftOut: (count: number) => times(count, '1 thing isn’t included', '# things aren’t included'),
  nowReady: (name: string) => `${name} is ready`,
  nowFailed: (name: string) => `${name} failed`,
} as const;
