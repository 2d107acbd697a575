/** Words that pages add to Markdown. */
export const pageTexts = {
  alerts: {
    note: 'Note',
    tip: 'Tip',
    important: 'Important',
    warning: 'Warning',
    caution: 'Caution',
  },
  mermaid: 'Mermaid',
} as const;
