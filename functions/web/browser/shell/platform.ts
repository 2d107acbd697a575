/** Whether the command key of a Mac does what Ctrl does elsewhere. */
const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** The name of the key that opens the palette together with K. */
export const commandKey = isMac ? '⌘' : 'Ctrl';

/** Returns whether the command key is pressed. */
export const hasCommandKey = ({ metaKey, ctrlKey }: KeyboardEvent): boolean =>
  isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey;
