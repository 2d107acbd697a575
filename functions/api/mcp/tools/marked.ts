import { createRandomText } from '../../../../shared/db/ids.ts';
import { markBetween } from '../../../../shared/text/marked.ts';

/** Nobody who writes content can know it. */
const boundaryBytes = 16;

/** Marks a text that people wrote. */
export const markContent = (text: string): string =>
  markBetween(createRandomText(boundaryBytes), text);
