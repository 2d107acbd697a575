import { post } from './report.ts';

/** How often it is told, at most, besides what is entered. ms. */
const gapMs = 60_000;

/** Tells the page that its reader uses the document, and how: it sees nothing of that itself. */
export const tellUse = (): void => {
  let next = 0;
  for (const used of ['pointermove', 'keydown', 'scroll', 'input']) {
    addEventListener(
      used,
      ({ timeStamp }) => {
        if (used !== 'input' && next > timeStamp) return;
        next = timeStamp + gapMs;
        post({ used });
      },
      true,
    );
  }
};
