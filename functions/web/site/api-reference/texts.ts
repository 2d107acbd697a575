/** Texts of the API reference. */
export const apiReferenceTexts = {
  title: 'API reference',
  document: 'OpenAPI document',
  download: 'Download the OpenAPI document:',
  loading: 'Loading…',
  failed: 'Couldn’t load the reference. Reload the page.',
  asUser: (name: string) =>
    `You’re signed in. “Try it out” sends real requests as ${name} and can change data.`,
  signedOut: 'Sign in to try requests with your own data, or authorize with an API token.',
  signIn: 'Sign in',
} as const;
