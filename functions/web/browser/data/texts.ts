/** Names of days. */
export const dayTexts = {
  today: 'Today',
  yesterday: 'Yesterday',
} as const;
