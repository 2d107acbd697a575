import { useEffect, useRef } from 'preact/hooks';
import { useUniqueId } from '../data/unique-id.ts';
import './style.ts';
import { watchCode } from './watch-code.ts';

interface CodeFieldProps {
  readonly label: string;
  readonly error: string | undefined;
  /** Called when six digits are there. */
  readonly onComplete: () => void;
  /** Whether it gets the focus as it is shown. */
  readonly isFirst?: boolean;
}

/**
 * A field for a code of six digits, drawn as six cells. Its form finds what was typed as `code`. An error selects it, so that the
 * next code replaces it.
 */
export const CodeField = ({ label, error, onComplete, isFirst = false }: CodeFieldProps) => {
  const id = useUniqueId();
  const field = useRef<HTMLInputElement>(null);
  const complete = useRef(onComplete);
  complete.current = onComplete;
  useEffect(() => {
    const { current } = field;
    if (!current) return;
    watchCode(current, () => complete.current());
    // A dialog that opens later focuses it by its attribute.
    if (isFirst) current.focus();
  }, []);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="code6">
        <span />
        <span />
        <span />
        <span />
        <span />
        <span />
        <input
          ref={field}
          id={id}
          name="code"
          type="text"
          inputMode="numeric"
          autocomplete="one-time-code"
          spellcheck={false}
          autofocus={isFirst}
          {...(error !== undefined && { 'aria-invalid': true })}
          aria-describedby={`${id}-error`}
        />
      </div>
      <p class="err" id={`${id}-error`} role="alert">
        {error}
      </p>
    </div>
  );
};

/** Returns the code that a form has. */
export const readCode = (form: HTMLFormElement): string =>
  String(new FormData(form).get('code') ?? '').trim();

/** Puts the focus in the code of a form, and selects it. */
export const selectCode = (form: HTMLFormElement): void => {
  const field = form.elements.namedItem('code');
  if (!(field instanceof HTMLInputElement)) return;
  field.focus();
  field.select();
};
