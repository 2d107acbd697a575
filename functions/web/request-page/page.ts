import { randomBytes } from 'node:crypto';
import { Html, html } from '../../../shared/text/html.ts';
import { formats, maxSubmittedBytes } from '../../api/share/intake/content.ts';
import type { VisitedRequest } from '../../api/share/intake/visit.ts';
import { gatePage, way } from '../layout/gate/gate-page.ts';
import { siteTexts } from '../layout/texts.ts';
import type { Theme } from '../layout/theme.ts';
import { maxFiles, maxNameLength, type Typed } from './form.ts';
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

const invalid = (id: string): Html =>
  html` aria-invalid="true" aria-describedby="${id}-error" autofocus`;

const describe = (id: string): Html => html` aria-describedby="${id}-hint"`;

/** Renders a field with its hint, or with the focus and what is wrong with it. `control` gets the attributes that refer to that. */
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
      html`<input class="in" id="password" name="password" type="text" required maxlength="64" autocomplete="off" autocapitalize="none" spellcheck="false"${attributes}${hasFocus && !error ? new Html(' autofocus') : undefined}>`,
    { error, hint: texts.passwordHint },
  );

/** Renders the links below the card of a request. */
const footer = (id: string): Html =>
  html`<a href="/r/${id}/report" rel="nofollow">${texts.report}</a><a href="/">${siteTexts.about}</a>`;

/** Renders the form that asks for the password of a request. It tells nothing about the request. */
export const passwordPage = (
  { request: { id } }: VisitedRequest,
  theme: Theme | undefined,
  error?: FormError,
): string =>
  gatePage({
    title: texts.passwordTitle,
    mark: 'lock',
    about: texts.passwordWhy,
    content: toForm(id, passwordField(error, true), texts.continue),
    footer: footer(id),
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
  html`<span>${texts.asks(html`<bdi>${name}</bdi>`)}</span> <span class="badge${isProven ? ' ok' : ''}">${isProven ? texts.proven : texts.unproven}</span>`;

const failure = (error: FormError | undefined): Html | undefined =>
  error?.field === 'form'
    ? html`<p class="failure" role="alert">${error.message}</p>\n`
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
  return gatePage({
    title: error ? `${texts.notSent}: ${title}` : title,
    heading: html`<bdi>${title}</bdi>`,
    mark: 'inbox',
    styles: ['request.css'],
    about: asker(visited),
    content: html`${note && html`<p class="asked" dir="auto">${note}</p>\n`}${toForm(id, fields, texts.send)}
`,
    note: html`${texts.goesTo(owner.name)}<br>${texts.ends} ${formatEnd(expiresAt)}.<br>${texts.madeByUser}`,
    footer: footer(id),
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
  gatePage({
    title: texts.received,
    mark: 'check',
    styles: ['request.css'],
    about: texts.receivedBy(html`<bdi>${owner.name}</bdi>`),
    content: html`<dl class="receipt"><dt>${texts.receipt}</dt><dd>${receipt}</dd></dl>
${isOpen ? way(`/r/${id}`, texts.another) : undefined}`,
    note: texts.receiptHint,
    footer: footer(id),
    theme,
  });
