/** Texts of what only the owner of a share can do. */
export const ownScriptTexts = {
  stopped: 'Stopped. The link no longer works.',
  ended: (day: string) => `Ended on ${day}`,
  undo: 'Undo',
  reopened: 'The link works again.',
  notStopped: 'Couldn’t stop sharing. Try again.',
  notReopened: 'Couldn’t undo. The link no longer works.',
} as const;
