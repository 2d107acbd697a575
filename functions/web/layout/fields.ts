import { Html, html } from '../../../shared/text/html.ts';
import { fieldTexts as texts } from './texts.ts';

/** An input of a form. */
export interface Field {
  /** The field name in the API. */
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'email' | 'password' | 'tel' | 'number';
  readonly autocomplete: string;
  readonly isOptional?: true;
  readonly hint?: string;
  /** Turns off capitalization and spell checking, for usernames and permissions. */
  readonly isCode?: true;
}

const codeAttributes = new Html(' autocapitalize="none" spellcheck="false"');
const numberAttributes = new Html(' inputmode="numeric" min="1" max="3650"');

/** Renders a control with its label, hint and error message. */
export const labelled = (
  form: string,
  { name, label, isOptional, hint }: Pick<Field, 'name' | 'label' | 'isOptional' | 'hint'>,
  control: (id: string, describedBy: string) => Html,
): Html => {
  const id = `${form}-${name}`;
  const describedBy = hint === undefined ? `${id}-wrong` : `${id}-hint ${id}-wrong`;
  return html`<div class="field">
<label for="${id}">${label}${isOptional ? html` <span class="optional">(${texts.optional})</span>` : undefined}</label>
${control(id, describedBy)}
${hint === undefined ? undefined : html`<p class="hint" id="${id}-hint">${hint}</p>`}
<p class="wrong" id="${id}-wrong" role="alert"></p>
</div>`;
};

/** Renders an input of the form with this id. */
export const field = (form: string, one: Field): Html =>
  labelled(form, one, (id, describedBy) => {
    const { name, type = 'text', autocomplete, isOptional, isCode } = one;
    return html`<input id="${id}" name="${name}" type="${type}" autocomplete="${autocomplete}" aria-describedby="${describedBy}"${isOptional ? undefined : new Html(' required')}${isCode ? codeAttributes : undefined}${type === 'number' ? numberAttributes : undefined}>`;
  });

/** Renders a checkbox. The form sends `on` if it is checked. */
export const checkbox = (
  form: string,
  { name, label, hint }: Pick<Field, 'name' | 'label' | 'hint'>,
): Html => {
  const id = `${form}-${name}`;
  return html`<div class="field">
<label for="${id}" class="choice"><input id="${id}" name="${name}" type="checkbox" autocomplete="off"${hint === undefined ? undefined : html` aria-describedby="${id}-hint"`}> ${label}</label>
${hint === undefined ? undefined : html`<p class="hint" id="${id}-hint">${hint}</p>`}
<p class="wrong" id="${id}-wrong" role="alert"></p>
</div>`;
};

/**
 * Renders a form that the script sends. Without the script it is a POST, so that no password gets into a URL.
 * Browser validation is off: the API reports what is invalid.
 */
export const form = (id: string, fields: Html, submit: string, after?: Html): Html =>
  html`<form id="${id}" method="post" novalidate>
${fields}
<p class="wrong" data-failure role="alert"></p>
<button type="submit">${submit}</button>
<p class="done" role="status"></p>
${after}
</form>`;

/** The button that shows the passwords of its form. */
export const showPasswords = html`<button type="button" class="quiet" data-shows-passwords aria-pressed="false">${texts.showPassword}</button>`;
