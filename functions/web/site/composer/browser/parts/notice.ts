import { signal } from '@preact/signals';

/** A message with something to do about it. */
export interface Notice {
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void };
}

/** What the page says about the text. */
export const notice = signal<Notice | undefined>(undefined);

/** What the preview leaves out. */
export const remark = signal<string | undefined>(undefined);

/** Offers the draft of an older version of the share. */
export const olderNotice = signal<Notice | undefined>(undefined);

/** Why sharing failed; `signIn` is the label of a link to the sign-in page. */
export const failure = signal<{ readonly text: string; readonly signIn?: string } | undefined>(
  undefined,
);

/** Shows a message about the text, replacing the previous one. */
export const tell = (text: string): void => {
  notice.value = text === '' ? undefined : { text };
};
