import { Html, html } from '../../../shared/text/html.ts';
import { fieldTexts as texts } from './texts.ts';

/** An input of a form. */
export interface FormField {
  /** The field name in the API. */
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'email' | 'password';
  readonly autocomplete: string;
  readonly hint?: string;
  /** Beside the label, such as a link for who can't fill it in. */
  readonly aside?: Html;
  readonly minLength?: number;
  /** The field that it repeats. */
  readonly repeats?: string;
  /** Whether the page begins with the focus in it. */
  readonly hasFocus?: true;
  /** Shows a button that reveals the passwords of the form. It requires a script. */
  readonly canReveal?: true;
}

const attribute = (name: string, value: string | number | undefined): Html | undefined =>
  value === undefined ? undefined : html` ${new Html(name)}="${value}"`;

const revealButton = html`<button type="button" class="btn ghost icon sm" data-reveals aria-pressed="false" aria-label="${texts.showPassword}" title="${texts.showPassword}"><i class="i-eye" aria-hidden="true"></i></button>`;

/** Renders a required input of the form with this id, with its label, hint and error. */
export const formField = (form: string, field: FormField): Html => {
  const {
    name,
    label,
    type = 'text',
    autocomplete,
    hint,
    aside,
    minLength,
    repeats,
    hasFocus,
    canReveal,
  } = field;
  const id = `${form}-${name}`;
  const describedBy = hint === undefined ? `${id}-error` : `${id}-hint ${id}-error`;
  const input = html`<input class="in" id="${id}" name="${name}" type="${type}" autocomplete="${autocomplete}" aria-describedby="${describedBy}" required${attribute('minlength', minLength)}${attribute('data-repeats', repeats)}${hasFocus && new Html(' autofocus')}>`;
  const labelled = html`<label for="${id}">${label}</label>`;
  return html`<div class="field">
${aside ? html`<div class="lab">${labelled}${aside}</div>` : labelled}
${canReveal ? html`<div class="revealed">${input}${revealButton}</div>` : input}
${hint === undefined ? undefined : html`<p class="hint" id="${id}-hint">${hint}</p>`}
<p class="err" id="${id}-error" role="alert"></p>
</div>`;
};

/** Renders what is wrong with a form as a whole; hidden as long as nothing is. */
export const formFailure = (message?: string): Html =>
  html`<div class="note bad" data-failure role="alert"${message === undefined ? new Html(' hidden') : undefined}><i class="i-alert" aria-hidden="true"></i><span>${message}</span></div>`;

/** Renders the button that submits a form. */
export const submitButton = (label: string): Html =>
  html`<button type="submit" class="btn primary lg wide">${label}</button>`;

/**
 * Renders a form that the script sends. Without the script it is a POST, so that no password gets into a URL. The script
 * shows what is invalid, in place of the browser.
 */
export const scriptedForm = (id: string, fields: Html, submit: string): Html =>
  html`<form id="${id}" method="post" novalidate>
${fields}
${formFailure()}
<p class="note" data-done role="status" hidden></p>
${submitButton(submit)}
</form>`;
