import { unreachable } from '../../client/api-error.ts';
import { orReload } from '../../shell/reload.ts';
import type { TextEditor } from '../text-editor.ts';
import { inspectRichText } from './rich-text.ts';
import { richPasteTexts as texts } from './texts.ts';

/** What is said about a paste, and what can be done about it. */
export interface RichPasteOffer {
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void };
}

/** What an offer needs of its page. */
export interface RichPasteOptions {
  readonly editor: TextEditor;
  /** Shows an offer, in place of the former one. */
  readonly show: (offer: RichPasteOffer) => void;
  /** Called once the pasted text is Markdown. */
  readonly noteConverted?: () => void;
}

/** A text that was pasted, and where. */
export interface PastedText {
  readonly text: string;
  readonly from: number;
}

/** Returns where a pasted text is by now: it may have moved, but must be unchanged and the only one. */
const findPasted = (text: string, pasted: PastedText): number | undefined => {
  if (text.startsWith(pasted.text, pasted.from)) return pasted.from;
  const at = text.indexOf(pasted.text);
  return at >= 0 && at === text.lastIndexOf(pasted.text) ? at : undefined;
};

/** Parts blocks from what is around them by an empty line. */
const separate = (markdown: string, before: string, after: string): string => {
  const lead =
    before === '' || before.endsWith('\n\n') ? '' : before.endsWith('\n') ? '\n' : '\n\n';
  const trail =
    after === '' || after.startsWith('\n\n') ? '' : after.startsWith('\n') ? '\n' : '\n\n';
  return lead + markdown + trail;
};

/** Offers to turn rich text into Markdown, in place of the plain text. That is one change of the editor. */
export const offerMarkdown = (
  html: string,
  pasted: PastedText,
  { editor, show, noteConverted }: RichPasteOptions,
): void => {
  const found = inspectRichText(html);
  if (found === 'none' || pasted.text.trim() === '') return;
  if (found === 'too-large') {
    show({ text: texts.tooLarge });
    return;
  }
  const convert = async (): Promise<void> => {
    const { toMarkdown } = await orReload(import('./to-markdown.ts')).catch((cause) => {
      throw unreachable(cause);
    });
    const { markdown, isInline } = toMarkdown(html);
    const text = editor.getText();
    const from = findPasted(text, pasted);
    if (from === undefined) return show({ text: texts.changed });
    const to = from + pasted.text.length;
    const insert = isInline ? markdown : separate(markdown, text.slice(0, from), text.slice(to));
    const end = from + insert.length;
    editor.edit({ change: { from, to, insert }, selection: { from: end, to: end } });
    noteConverted?.();
  };
  const run = () => {
    convert().catch((error: unknown) =>
      show({ text: error instanceof Error ? error.message : String(error) }),
    );
  };
  show({ text: texts.offer, action: { label: texts.convert, run } });
};
