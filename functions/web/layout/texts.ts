/** Texts around each page. */
export const siteTexts = {
  brand: 'Handbill',
  navigation: 'Handbill',
  new: 'New',
  myShares: 'My shares',
  files: 'Files',
  dashboard: 'Dashboard',
  account: 'Account',
  signIn: 'Sign in',
  skip: 'Skip to the content',
  needsScript: 'This page needs JavaScript. Turn it on and load the page again.',
} as const;

/** Names and hints of form fields. */
export const fieldTexts = {
  optional: 'optional',
  name: 'Name',
  username: 'Username',
  phone: 'Phone',
  timezone: 'Time zone',
  noTimezone: 'Not set',
  email: 'E-mail',
  password: 'Password',
  currentPassword: 'Current password',
  newPassword: 'New password',
  samePassword: 'The same password again',
  passwordHint: 'At least 6 characters.',
  showPassword: 'Show password',
} as const;

/** Labels in rendered Markdown. */
export const renderedHtmlTexts = {
  table: 'Table',
  checked: 'Done',
  unchecked: 'To do',
} as const;
