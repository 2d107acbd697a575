import { signal } from '@preact/signals';
import { copyByHand } from '../../../../../browser/data/copy-by-hand.ts';
import type { IconName } from '../../../../../layout/icons.ts';
import { resultTexts as texts } from '../../../result-texts.ts';

/** What was copied last, and what is said of it. */
const last = signal({ name: '', said: '' });

/** Copies a text. Returns whether it could. */
const copy = async (name: string, text: string, failed: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text);
    last.value = { name, said: texts.copied };
    return true;
  } catch {
    last.value = { name: '', said: failed };
    return false;
  }
};

const getIcon = (name: string): IconName => (last.value.name === name ? 'check' : 'copy');

/** Says what was copied, or how to copy it by hand. */
export const CopyStatus = () => (
  <p class="hint" role="status">
    {last.value.said}
  </p>
);

interface CopyButtonProps {
  readonly name: string;
  readonly label: string;
  readonly text: string;
  readonly failed: string;
}

/** Copies what isn’t shown. */
export const CopyButton = ({ name, label, text, failed }: CopyButtonProps) => (
  <button type="button" class="btn ghost" onClick={() => copy(name, text, failed)}>
    <i class={`i-${getIcon(name)}`} />
    {label}
  </button>
);

interface CopyBoxProps {
  readonly name: string;
  /** What the value is. */
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly value: string;
  readonly action: string;
  readonly button: string;
  readonly kind: string;
}

/** A value with a button that copies it. */
export const CopyBox = (props: CopyBoxProps) => {
  const { name, label, isLabelHidden = false, value, action, button, kind } = props;
  const id = `result-${name}`;
  return (
    <div class="linkbox">
      <label for={id} class={isLabelHidden ? 'vh' : 'lbl'}>
        {label}
      </label>
      <input
        class={`cut ${name}`}
        id={id}
        readOnly
        value={value}
        autocomplete="off"
        spellcheck={false}
      />
      <button
        type="button"
        class={`btn ${kind}`}
        id={`copy-${name}`}
        aria-label={action}
        onClick={async () => {
          if (await copy(name, value, copyByHand)) return;
          (document.getElementById(id) as HTMLInputElement).select();
        }}
      >
        <i class={`i-${getIcon(name)}`} />
        {button}
      </button>
    </div>
  );
};
