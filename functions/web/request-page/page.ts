import { randomBytes } from 'node:crypto';
import { Html, html } from '../../../shared/text/html.ts';
import { formats, maxSubmittedBytes } from '../../api/share/intake/content.ts';
import type { VisitedRequest } from '../../api/share/intake/visit.ts';
import type { Theme } from '../layout/theme.ts';
import { maxFiles, maxNameLength, type Typed } from './form.ts';
import { requestCard } from './request-card.ts';
import { requestTexts as texts } from './texts.ts';

/** What is wrong with a form that was sent, beside the field that it is about. */
export interface FormError {
  readonly field: 'name' | 'text' | 'files' | 'password' | 'form';
  readonly message: string;
}

/** What the form of a request shows besides the request. */
export interface FormState {
  /** Whether it asks for the password, which was not entered or is another one by now. */
  readonly asksPassword?: boolean;
  /** A pass for having entered the password. */
  readonly pass?: string | undefined;
  /** What was typed before. */
  readonly typed?: Typed;
  readonly error?: FormError | undefined;
}

const invalid = (id: string): Html => html` aria-invalid="true" aria-describedby="${id}-error"`;

const describe = (id: string): Html => html` aria-describedby="${id}-hint"`;

/** Renders a field with its hint, or what is wrong with it. `control` gets the attributes that refer to that. */
const field = (
  id: FormError['field'],
  label: string,
  control: (attributes: Html | undefined) => Html,
  { error, hint }: { error: FormError | undefined; hint?: string },
): Html => {
  const isWrong = error?.field === id;
  const about = hint === undefined ? undefined : describe(id);
  const line = isWrong
    ? html`<p class="err" id="${id}-error" role="alert">${error.message}</p>`
    : hint && html`<p class="hint" id="${id}-hint">${hint}</p>`;
  return html`<div class="field"><label for="${id}">${label}</label>
${control(isWrong ? invalid(id) : about)}
${line}</div>
`;
};

const hidden = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">\n`;

const toForm = (id: string, content: Html, submit: string): Html =>
  html`<form method="post" action="/r/${id}" enctype="multipart/form-data">
${content}<button class="btn primary lg wide" type="submit">${submit}</button>
</form>`;

const passwordField = (error: FormError | undefined, hasFocus: boolean): Html =>
  field(
    'password',
    texts.password,
    (attributes) =>
      html`<input class="in" id="password" name="password" type="text" required maxlength="64" autocomplete="off" autocapitalize="none" spellcheck="false"${attributes}${hasFocus ? new Html(' autofocus') : undefined}>`,
    { error, hint: texts.passwordHint },
  );

/** Renders the form that asks for the password of a request. It tells nothing about the request. */
export const passwordPage = (
  { request: { id } }: VisitedRequest,
  theme: Theme | undefined,
  error?: FormError,
): string =>
  requestCard({
    title: texts.passwordTitle,
    about: html`${texts.passwordWhy}`,
    content: toForm(id, passwordField(error, true), texts.continue),
    requestId: id,
    theme,
  });

const formatField = (chosen: Typed['format']): Html =>
  html`<fieldset class="formats"><legend>${texts.format}</legend>
${formats.map((format) => html`<label><input type="radio" name="format" value="${format}"${format === chosen ? new Html(' checked') : undefined}> ${texts.formats[format]}</label>\n`)}</fieldset>
`;

// Created on first use: loading a locale takes a tenth of a cold start.
let ends: Intl.DateTimeFormat | undefined;

const formatEnd = (at: string): Html => {
  ends ??= new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return html`<time datetime="${at}">${ends.format(Date.parse(at))} UTC</time>`;
};

const asker = ({ owner: { name, isProven } }: VisitedRequest): Html =>
  html`<p class="asker">${texts.asks(html`<bdi>${name}</bdi>`)} <span class="badge${isProven ? ' ok' : ''}">${isProven ? texts.proven : texts.unproven}</span></p>`;

const failure = (error: FormError | undefined): Html | undefined =>
  error?.field === 'form'
    ? html`<div class="note bad" role="alert"><i class="i-alert" aria-hidden="true"></i><span>${error.message}</span></div>\n`
    : undefined;

/** Renders the form by which a visitor hands content in. It needs no script. */
export const formPage = (
  visited: VisitedRequest,
  theme: Theme | undefined,
  { asksPassword = false, pass, typed, error }: FormState = {},
): string => {
  const { request, owner } = visited;
  const { id, title, note, expiresAt } = request;
  const { name = '', text = '', format = 'text' } = typed ?? {};
  const fields = html`${hidden('claim', randomBytes(16).toString('base64url'))}${pass && hidden('pass', pass)}${failure(error)}${asksPassword ? passwordField(error, false) : undefined}${field(
    'name',
    texts.name,
    (attributes) =>
      html`<input class="in" id="name" name="name" type="text" required maxlength="${maxNameLength}" autocomplete="name" dir="auto" value="${name}"${attributes}>`,
    { error },
  )}${field(
    'text',
    texts.text,
    (attributes) =>
      html`<textarea class="in" id="text" name="text" rows="6" maxlength="${maxSubmittedBytes}" dir="auto"${attributes}>\n${text}</textarea>`,
    { error },
  )}${formatField(format)}${field(
    'files',
    texts.files,
    (attributes) =>
      html`<input class="in" id="files" name="files" type="file" multiple${attributes}>`,
    { error, hint: texts.filesHint(maxFiles, maxSubmittedBytes) },
  )}`;
  return requestCard({
    title: error ? `${texts.notSent}: ${title}` : title,
    heading: html`<bdi>${title}</bdi>`,
    about: html`${asker(visited)}${note && html`\n<p class="asked" dir="auto">${note}</p>`}`,
    content: html`${toForm(id, fields, texts.send)}
<p class="hint">${texts.goesTo(owner.name)} ${texts.ends} ${formatEnd(expiresAt)}.</p>`,
    requestId: id,
    theme,
  });
};

/** Renders the receipt of what was handed in, and never that itself. */
export const receiptPage = (
  { request: { id }, owner }: VisitedRequest,
  receipt: string,
  isOpen: boolean,
  theme: Theme | undefined,
): string =>
  requestCard({
    title: texts.received,
    about: html`<p>${texts.receivedBy(html`<bdi>${owner.name}</bdi>`)}</p>`,
    content: html`<dl class="receipt"><dt>${texts.receipt}</dt><dd>${receipt}</dd></dl>
<p class="hint">${texts.receiptHint}</p>
${isOpen ? html`<a class="btn lg wide" href="/r/${id}">${texts.another}</a>` : undefined}`,
    requestId: id,
    theme,
  });
