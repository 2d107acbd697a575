import { times } from './account-texts.ts';

/** Texts of the API tokens of an account. Loaded with them. */
export const tokenTexts = {
  tokensAbout: 'Use tokens to call the API from scripts.',
  apiReference: 'API reference',
  noTokens: 'No API tokens yet',
  allPermissions: 'All your permissions',
  noPermissions: 'No permissions',
  allOf: (area: string) => `${area}: all`,
  someOf: (area: string, actions: readonly string[]) =>
    `${area}: ${actions.join(', ').toLowerCase()}`,
  mayPublish: (bounds: string) => `May publish: ${bounds}`,
  mayPublishAll: 'May publish without limits',
  only: {
    private: 'only private',
    people: 'only for people you choose',
    members: 'only for everyone here',
  },
  upToAge: (days: number | undefined, seconds: number) =>
    days === undefined
      ? times(seconds, 'up to 1 second', 'up to # seconds')
      : times(days, 'up to 1 day', 'up to # days'),
  upToViews: (count: number) => times(count, 'up to 1 view', 'up to # views'),
  aDay: (count: number) => `${count.toLocaleString('en')} a day`,
  until: (day: string) => `Expires ${day}`,
  untilRevoked: 'No expiration',
  lastUsed: (time: string) => `Last used ${time}`,
  neverUsed: 'Never used',
  created: (day: string) => `Created ${day}`,
  revoke: 'Revoke',
  revokeOne: (name: string) => `Revoke: ${name}`,
  confirmRevoke: (name: string) => `Revoke “${name}”?`,
  confirmRevokeText: 'Anything that uses it stops working immediately. This can’t be undone.',
  revoked: (name: string) => `“${name}” revoked`,

  tokenName: 'Token name',
  tokenNameHint: 'What you use it for, such as “Nightly backup”.',
  tokenNameMissing: 'Enter a name.',
  expiration: 'Expiration',
  expirations: {
    30: '30 days',
    90: '90 days',
    365: '1 year',
    custom: 'Custom',
    never: 'No expiration',
  },
  neverHint: 'It works until you revoke it.',
  days: 'Expires in (days)',
  daysWrong: 'Enter a number from 1 to 3650.',
  it: 'It can',
  presets: {
    publish: ['Publish only', 'Create shares and change them'],
    read: ['Read only', 'Read what you can see, and change nothing'],
    all: ['Everything', 'Whatever you can do, also with permissions you get later'],
    custom: ['Chosen', 'What you tick under “All permissions”'],
  },
  everyPermission: 'All permissions',
  chooseOne: 'Choose at least one permission',
  publishes: 'It may publish',
  publishesHint: 'More than this is refused with the reason. An empty field sets no limit.',
  audience: 'Who can open what it publishes',
  /** What is before and after each choice, as a sentence. */
  audiences: {
    private: ['only', 'private', 'pages'],
    people: ['only pages for', 'people you choose', ''],
    members: ['only pages for', 'everyone here', ''],
    link: ['pages for', 'anyone', ''],
  },
  notForMembers: 'Pages can’t be for everyone here while anyone can register.',
  bounds: {
    maxAgeDays: ['for up to', 'day', 'days', 'Days'],
    maxViews: ['with up to', 'view', 'views', 'Views'],
    sharesPerDay: ['at most', 'share a day', 'shares a day', 'Shares a day'],
  },
  boundWrong: (max: number) => `Enter a number from 1 to ${max.toLocaleString('en')}.`,
  passwordNeeded: 'Enter your password: you signed in over 15 minutes ago.',
  theNewToken: 'the new token',
  newToken: 'Copy your new token now. You won’t see it again.',
  copy: 'Copy token',
  dismissToken: 'I’ve copied it',
} as const;
