import { unreachable } from '../../client/api-error.ts';
import type { TextEditor } from '../text-editor.ts';
import { inspectRichText } from './rich-text.ts';
import { richPasteTexts as texts } from './texts.ts';

/** What is said about a paste, and what can be done about it. */
export interface RichPasteOffer {
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void };
}

interface RichPasteOptions {
  readonly editor: TextEditor;
  /** Shows an offer, in place of the former one. */
  readonly show: (offer: RichPasteOffer) => void;
  /** Called once the pasted text is Markdown. */
  readonly noteConverted?: () => void;
}

/** Returns where a pasted text is by now: it may have moved, but must be unchanged and the only one. */
const findPasted = (text: string, pasted: string, from: number): number | undefined => {
  if (text.startsWith(pasted, from)) return from;
  const at = text.indexOf(pasted);
  return at >= 0 && at === text.lastIndexOf(pasted) ? at : undefined;
};

/** Parts blocks from what is around them by an empty line. */
const separate = (markdown: string, before: string, after: string): string => {
  const lead =
    before === '' || before.endsWith('\n\n') ? '' : before.endsWith('\n') ? '\n' : '\n\n';
  const trail =
    after === '' || after.startsWith('\n\n') ? '' : after.startsWith('\n') ? '\n' : '\n\n';
  return lead + markdown + trail;
};

/**
 * Offers to turn rich text into Markdown, once it was pasted as plain text. That is one change of the editor, which its
 * undo takes back to the plain text. Called before the paste takes place.
 */
export const offerMarkdown = (
  data: DataTransfer | null,
  { editor, show, noteConverted }: RichPasteOptions,
): void => {
  const html = data?.getData('text/html') ?? '';
  if (html === '') return;
  const before = editor.getText();
  const { from, to } = editor.getSelection();
  const convert = async (pasted: string): Promise<void> => {
    const { toMarkdown } = await import('./to-markdown.ts').catch((cause) => {
      throw unreachable(cause);
    });
    const { markdown, isInline } = toMarkdown(html);
    const text = editor.getText();
    const at = findPasted(text, pasted, from);
    if (at === undefined) return show({ text: texts.changed });
    const [lead, trail] = [text.slice(0, at), text.slice(at + pasted.length)];
    const insert = isInline ? markdown : separate(markdown, lead, trail);
    const end = at + insert.length;
    editor.edit({
      change: { from: at, to: at + pasted.length, insert },
      selection: { from: end, to: end },
    });
    noteConverted?.();
  };
  // The paste itself comes first.
  setTimeout(() => {
    const after = editor.getText();
    const pasted = after.slice(from, after.length - (before.length - to));
    if (after === before || pasted.trim() === '') return;
    const found = inspectRichText(html);
    if (found === 'none') return;
    if (found === 'too-large') return show({ text: texts.tooLarge });
    const run = () => {
      convert(pasted).catch((error: unknown) =>
        show({ text: error instanceof Error ? error.message : String(error) }),
      );
    };
    show({ text: texts.offer, action: { label: texts.convert, run } });
  });
};
