/** Texts of the fields for what a token or an app may publish at most, and of the password that allowing it can take. */
export const ceilingTexts = {
  audience: 'Who can open what it publishes',
  /** What is before and after each choice, as a sentence. */
  audiences: {
    private: ['only', 'private', 'pages'],
    people: ['only pages for', 'people you choose', ''],
    members: ['only pages for', 'everyone here', ''],
    link: ['pages for', 'anyone', ''],
  },
  bounds: {
    maxAgeDays: ['for up to', 'day', 'days', 'Days'],
    maxViews: ['with up to', 'view', 'views', 'Views'],
    sharesPerDay: ['at most', 'share a day', 'shares a day', 'Shares a day'],
  },
  boundWrong: (max: number) => `Enter a number from 1 to ${max.toLocaleString('en')}.`,
} as const;
