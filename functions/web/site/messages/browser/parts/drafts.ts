import { signal } from '@preact/signals';
import { signedIn } from '../../../../browser/shell/session.ts';
import { guardWork } from '../../../../browser/shell/unsaved.ts';
import { messagesTexts as texts } from '../../texts.ts';
import type { Person } from './participants.ts';

/** A file that is to be sent with a message. */
export interface AttachedFile {
  readonly id: number;
  readonly name: string;
  /** In bytes. */
  readonly size: number;
}

/** The conversation that a draft replies to. */
export type DraftId = number | 'new';

/** A message that isn’t sent yet. */
export interface Draft {
  readonly to: readonly Person[];
  readonly subject: string;
  readonly text: string;
  readonly files: readonly AttachedFile[];
  /** In a conversation, the message that is answered to the people of `to` only; `null` for everyone. */
  readonly replyTo: number | null;
}

export const noFields = { to: [], subject: '', text: '' } satisfies Omit<
  Draft,
  'files' | 'replyTo'
>;

const emptyDraft: Draft = { ...noFields, files: [], replyTo: null };

const keyOf = (of: DraftId): string => `messages.draft.${signedIn?.user.id}.${of}`;

/** Reads the draft of a reply to a conversation, or of a new message. */
export const readDraft = (of: DraftId): Draft => {
  try {
    return { ...emptyDraft, ...JSON.parse(localStorage.getItem(keyOf(of)) ?? '{}') };
  } catch {
    return emptyDraft;
  }
};

/** The drafts that the browser couldn’t store. */
const unkept = new Set<DraftId>();

/** Keeps parts of a draft over reloads, until it is empty. */
export const keepDraft = (of: DraftId, parts: Partial<Draft>): void => {
  const draft = { ...readDraft(of), ...parts };
  const isEmpty = JSON.stringify(draft) === JSON.stringify(emptyDraft);
  unkept.delete(of);
  try {
    if (isEmpty) localStorage.removeItem(keyOf(of));
    else localStorage.setItem(keyOf(of), JSON.stringify(draft));
  } catch {
    // Without storage, the draft lasts as long as the page.
    if (!isEmpty) unkept.add(of);
  }
};

guardWork({
  getName: () => texts.theMessage,
  isChanged: () => unkept.size > 0,
  discard: () => unkept.clear(),
});

/** Whether the browser is online. */
export const isOnline = signal(navigator.onLine);

for (const type of ['online', 'offline']) {
  addEventListener(type, () => {
    isOnline.value = navigator.onLine;
  });
}
