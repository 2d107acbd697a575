/** Texts of the components. */
export const componentTexts = {
  dismiss: 'Dismiss',
} as const;
