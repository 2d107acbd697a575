import { signal } from '@preact/signals';
import { signedIn } from '../../../../browser/shell/session.ts';
import type { Person } from './participants.ts';

/** A message that isn’t sent yet. */
export interface Draft {
  readonly to: readonly Person[];
  readonly subject: string;
  readonly text: string;
}

export const emptyDraft: Draft = { to: [], subject: '', text: '' };

const keyOf = (of: number | 'new'): string => `messages.draft.${signedIn?.user.id}.${of}`;

/** Reads the draft of a reply to a conversation, or of a new message. */
export const readDraft = (of: number | 'new'): Draft => {
  try {
    return { ...emptyDraft, ...JSON.parse(localStorage.getItem(keyOf(of)) ?? '{}') };
  } catch {
    return emptyDraft;
  }
};

/** Keeps a draft over reloads, until it is empty. */
export const keepDraft = (of: number | 'new', draft: Draft): void => {
  try {
    const isEmpty = JSON.stringify(draft) === JSON.stringify(emptyDraft);
    if (isEmpty) localStorage.removeItem(keyOf(of));
    else localStorage.setItem(keyOf(of), JSON.stringify(draft));
  } catch {
    // Without storage, the draft lasts as long as the page.
  }
};

/** Whether the browser is online. */
export const isOnline = signal(navigator.onLine);

for (const type of ['online', 'offline']) {
  addEventListener(type, () => {
    isOnline.value = navigator.onLine;
  });
}
