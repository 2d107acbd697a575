import { useRef } from 'preact/hooks';
import { Button } from '../../../../../browser/components/button.tsx';
import { copyText } from '../../../../../browser/data/clipboard.ts';
import { copyByHand } from '../../../../../browser/data/copy-by-hand.ts';
import { commonTexts } from '../../../../../browser/texts.ts';
import { assistantTexts as texts } from '../../../assistant-texts.ts';
import { highlightJson } from './snippets.ts';

interface SnippetProps {
  readonly text: string;
  /** What is copied, for the name of the button. */
  readonly name: string;
  readonly isJson?: boolean;
  readonly buttonId?: string;
  /** Called once the user has a copy. */
  readonly onCopied?: () => unknown;
}

/** A text to be copied into an app or a terminal. */
export const Snippet = ({ text, name, isJson = false, buttonId, onCopied }: SnippetProps) => {
  const place = useRef<HTMLPreElement>(null);
  const copy = async () => {
    if (await copyText(text, commonTexts.copied, copyByHand)) {
      onCopied?.();
      return;
    }
    if (!place.current) return;
    place.current.focus();
    getSelection()?.selectAllChildren(place.current);
  };
  return (
    <div class="snip">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keys, and can be selected */}
      <pre ref={place} tabIndex={0} onCopy={onCopied}>
        {isJson
          ? highlightJson(text).map(({ text: piece, kind }, at) => (
              <span key={at} class={kind}>
                {piece}
              </span>
            ))
          : text}
      </pre>
      <Button
        size="sm"
        icon="copy"
        aria-label={texts.copyOf(name)}
        onClick={copy}
        {...(buttonId && { id: buttonId })}
      >
        {texts.copy}
      </Button>
    </div>
  );
};
