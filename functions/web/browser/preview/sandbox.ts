/** The sandbox of each frame with a snippet, and of the snippet's policy (decisions.md#isolation). */
export const sandbox =
  'allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals';
