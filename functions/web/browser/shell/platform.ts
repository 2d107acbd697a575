import { isApple, nameShortcut } from '../../layout/command-key.ts';

const isMac = isApple(navigator.platform);

/** The name of the key that opens the palette together with K. */
export const commandKey = isMac ? '⌘' : 'Ctrl';

/** Names a key that is pressed together with the command key. */
export const withCommandKey = (key: string): string => nameShortcut(key, isMac);

/** Returns whether the command key is pressed. */
export const hasCommandKey = ({ metaKey, ctrlKey }: KeyboardEvent): boolean =>
  isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey;
