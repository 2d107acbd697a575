/** Texts of diagrams in a rendered text. */
export const diagramTexts = {
  diagram: 'Diagram',
  showCode: 'Show code',
  showDiagram: 'Show diagram',
  notDrawn: {
    unavailable: 'Not drawn',
    invalid: 'Not drawn: error in the code',
    tooSlow: 'Not drawn: too complex',
    tooLarge: 'Not drawn: over 50 KB',
    tooMany: 'Not drawn: over 20 diagrams',
  },
} as const;
