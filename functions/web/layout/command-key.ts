/** Returns whether ⌘ does what Ctrl does elsewhere, by a user agent or `navigator.platform`. */
export const isApple = (system = ''): boolean => /Mac|iPhone|iPad/.test(system);

/** Names a shortcut with the command key, such as `⌘K`, elsewhere `Ctrl K`. */
export const nameShortcut = (key: string, onApple: boolean): string =>
  onApple ? `⌘${key}` : `Ctrl ${key}`;
