import { findChange } from './changes.ts';
import type { Change } from './text-editor.ts';

/** The longest text that is compared at each key. UTF-16 units. */
const maxLength = 100_000;

/** A change and its time in ms. */
export interface TypedChange extends Change {
  readonly time: number;
}

/** A text and the changes that led from it to another. */
export interface TextHistory {
  readonly text: string;
  readonly changes: readonly TypedChange[];
}

/** Records the changes of a textarea, so that they can still be undone in the editor that replaces it. */
export const createRecorder = (start: string) => {
  let history: TextHistory = { text: start, changes: [] };
  let latest = start;
  return {
    getHistory: (): TextHistory => history,
    /** Notes a text that can't be undone, such as a restored draft. */
    restart: (text: string): void => {
      latest = text;
      history = { text, changes: [] };
    },
    note: (text: string, time: number): void => {
      const change = text.length > maxLength ? undefined : findChange(latest, text);
      if (change) history = { ...history, changes: [...history.changes, { ...change, time }] };
      else if (text !== latest) history = { text, changes: [] };
      latest = text;
    },
  };
};

export type Recorder = ReturnType<typeof createRecorder>;
