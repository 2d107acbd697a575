/** Texts of the frame of every page. */
export const siteTexts = {
  brand: 'Handbill',
  about: 'What is Handbill?',
  navigation: 'Main',
  signIn: 'Sign in',
  notLoaded: 'A part of this page didn’t load.',
  reload: 'Reload',
  skip: 'Skip to content',
  needsScript: 'This page requires JavaScript. Enable it and reload the page.',
} as const;

/** Labels and hints of form fields. */
export const fieldTexts = {
  optional: 'optional',
  name: 'Name',
  username: 'Username',
  phone: 'Phone',
  timezone: 'Time zone',
  noTimezone: 'Not set',
  email: 'Email',
  password: 'Password',
  currentPassword: 'Current password',
  newPassword: 'New password',
  samePassword: 'Confirm password',
  passwordHint: 'At least 6 characters',
  showPassword: 'Show password',
} as const;

/** Labels in rendered Markdown. */
export const renderedHtmlTexts = {
  table: 'Table',
  formula: 'Formula',
  checked: 'Done',
  unchecked: 'To do',
  code: 'Code',
  preformatted: 'Preformatted text',
  codeIn: (language: string) => `Code, ${language}`,
  copy: 'Copy',
  raw: 'Raw',
  wrap: 'Wrap lines',
} as const;
