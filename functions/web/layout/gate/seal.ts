import { Html } from '../../../../shared/text/html.ts';

/** What the badge of the drawing shows. */
const marks = {
  lock: 'M80.5 63.5h11V71h-11zm2 0v-3a3.5 3.5 0 0 1 7 0v3',
  person: 'M86 63.5a3.6 3.6 0 1 0 0-7.2 3.6 3.6 0 0 0 0 7.2zm-7 9c0-4 3-5.5 7-5.5s7 1.5 7 5.5',
  mail: 'M78.5 58.5h15v11h-15zM78.5 59.5l7.5 5.5 7.5-5.5',
  question: 'M82.5 60.5a3.5 3.5 0 1 1 5 3.2c-1 .5-1.5 1.2-1.5 2.5M86 70.5v.1',
  inbox: 'M86 56.5v8.5m-3.5-3.5 3.5 3.5 3.5-3.5M79 66.5v5h14v-5',
  flag: 'M81.5 71.5v-14h9l-2 3.5 2 3.5h-9',
  check: 'M80 64.5l4.2 4.2 7.8-8.4',
  device: 'M80 57.5h12v15H80zM84.5 69.5h3',
  key: 'M83 68a4 4 0 1 0 0-.1M86 65l7-7M90.5 60.5l2.5 2.5',
  cross: 'M81.5 59.5l9 9m0-9l-9 9',
} as const;

/** The name of what a badge shows. */
export type SealMark = keyof typeof marks;

/** Renders the drawing in the place of a text that isn’t shown: a sheet with a badge. */
export const seal = (mark: SealMark): Html =>
  new Html(
    `<svg class="seal" viewBox="0 0 120 90" aria-hidden="true"><rect class="bg" x="4" y="6" width="112" height="78" rx="16"/><rect class="p" x="33" y="16" width="54" height="58" rx="6"/><path class="t" d="M44 31h32M44 42h32M44 53h17"/><circle class="x" cx="86" cy="64" r="15"/><path class="w" d="${marks[mark]}"/></svg>`,
  );
