import { type Html, html } from '../../../../shared/text/html.ts';

const cells = html`<span></span><span></span><span></span><span></span><span></span><span></span>`;

/** A field for a code of six digits. */
export interface CodeInput {
  readonly id: string;
  /** The id of its hint or error. */
  readonly describedBy: string;
  readonly isInvalid?: boolean;
  /** Whether the page begins with the focus in it. */
  readonly hasFocus?: boolean;
}

/** Renders six drawn cells under one input, named `code`. It works without its script, which marks the next cell. */
export const codeInput = ({ id, describedBy, isInvalid = false, hasFocus }: CodeInput): Html =>
  html`<div class="code6">${cells}<input id="${id}" name="code" type="text" required inputmode="numeric" autocomplete="one-time-code" pattern="[0-9 ]*" maxlength="7" spellcheck="false" aria-describedby="${describedBy}"${isInvalid ? html` aria-invalid="true"` : undefined}${hasFocus ? html` autofocus` : undefined}></div>`;
