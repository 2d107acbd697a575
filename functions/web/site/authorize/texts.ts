/** Texts of the page that asks whether an app may act for its user, as it is rendered. */
export const consentPageTexts = {
  title: 'Connect an assistant',
  loading: 'Loading…',
  switchAccount: 'Switch',
  switchAccountWhy: 'Switch account',
  grants: 'What it can do',
  publishes: 'What it can publish',
  itMayPublish: 'It may publish',
  aDay: 'a day',
  deny: 'Deny',
  allow: 'Allow',
  revoke: 'Revoke it at any time under',
  place: 'Account › Assistants',
  help: 'Help',
  helpOn: [
    [
      'What is this?',
      'An assistant asks to work in Handbill for you. It gets what is checked here, and never your password.',
    ],
    ['You didn’t start this?', 'Deny. Nothing changes, and you can start again in the assistant.'],
    [
      'And later?',
      'Account › Assistants lists what is connected and when it was last used. Revoke it there, and it stops working immediately.',
    ],
  ],
} as const;

/** Texts that the script of the page shows. */
export const consentTexts = {
  allow: 'Allow ',
  questionMark: '?',
  allowQuestion: (name: string) => `Allow ${name}?`,
  sendsBack: 'It sends you back to ',
  startedThere: '. Continue only if you just started this there.',
  thisDevice: 'this device',
  startedHere: '. Continue only if you just started this here.',
  cannot: (areas: string) => `No ${areas}`,
  or: ' or ',
  chooseOne: 'Nothing is checked. Check something, or deny.',
  continuing: 'Continuing…',
  allowedBefore: (name: string) => `You allowed ${name} before.`,
  notSwitched: 'Couldn’t sign out. Try again.',

  close: 'You can close this page',
  allowed: (name: string) => `${name} continues by itself.`,
  denied: (name: string) => `${name} gets no access.`,
  nothingHappened: (name: string) => `Open ${name}`,

  unknownClient: 'Unknown app',
  unknownClientWhy:
    'Handbill can’t tell which app asks, so nothing was allowed. Start again in the app. If it happens again, tell its makers.',
  unknownRedirect: 'Wrong return address',
  unknownRedirectWhy:
    'The app wants you to be sent to an address that isn’t known as its own, so nothing was allowed. Start again in the app. If it happens again, tell its makers.',
  invalid: 'The request isn’t valid',
  invalidWhy: 'The app asked in a way that can’t be answered, so nothing was allowed.',
  returnTo: (host: string) => `Return to ${host}`,
  failed: 'This didn’t work',
  again: 'Try again',
} as const;
