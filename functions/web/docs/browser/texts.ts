/** Texts of the API reference that its script shows. */
export const referenceScriptTexts = {
  copied: 'Copied',
  notCopied: 'Not copied',
  noMatch: 'No operation matches.',
  loading: 'Loading the console…',
  failed: 'Couldn’t load the console. Try again.',
  reload: 'Reload the page',
  console: 'Console',
  asUser: (name: string) =>
    `You’re signed in. “Execute” sends a real request as ${name} and can change data.`,
  signedOut: 'Sign in to try requests with your own data, or authorize with an API token.',
  signIn: 'Sign in',
  close: 'Close',
} as const;
