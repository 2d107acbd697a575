/** Texts of the composer about the copy of a share. */
export const copyTexts = {
  begun: 'You’re writing a new share that began as a copy. It gets a link of its own.',
  begunProtected:
    'You’re writing a new share that began as a copy. It gets a link and a password of its own: the current one can’t be copied.',
  begunSealed:
    'You’re writing a new sealed share that began as a copy. It gets a link and a key of its own.',
  begunJoined:
    'You’re writing a new sealed share that began as a copy. It gets a link and a key of its own. Choose a passphrase for it.',
  otherDraft: 'You have a draft of another share.',
  ended: 'This share has ended and can’t be duplicated.',
} as const;
