import { type Html, html } from '../../../../shared/text/html.ts';
import { cardFrame } from '../card.ts';
import { codeInput } from '../gate/code-input.ts';
import { type SealMark, seal } from '../gate/seal.ts';
import type { Theme } from '../theme.ts';
import { secondFactorTexts as texts } from './texts.ts';

/** The ways to confirm a sign-in, as the API names them. Each has a view. */
export const factorMethods = ['totp', 'passkey', 'recovery'] as const;

export type FactorMethod = (typeof factorMethods)[number];

/** What the step that follows the password is rendered for. */
export interface SecondStep {
  /** The token that the password was exchanged for; empty where a script knows it. */
  readonly mfaToken: string;
  readonly methods: readonly FactorMethod[];
  /** The view that is shown; none where a script shows one. */
  readonly view?: FactorMethod | undefined;
  /** The page to open after signing in. */
  readonly next: string | undefined;
  /** Where someone else signs in. */
  readonly toLogin: string;
  /** What is wrong with the code. */
  readonly error?: string | undefined;
}

/** Returns the view that a person sees first. */
export const getFirstView = (methods: readonly FactorMethod[]): FactorMethod =>
  (['totp', 'passkey'] as const).find((method) => methods.includes(method)) ?? 'recovery';

const hidden = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`;

interface View {
  readonly name: FactorMethod;
  readonly mark: SealMark;
  readonly title: string;
  readonly about: string;
  readonly content: Html;
}

const renderView = ({ name, mark, title, about, content }: View, { view }: SecondStep): Html =>
  html`<div class="at-gate" data-view="${name}"${view === name ? undefined : html` hidden`}>
${seal(mark)}<h1>${title}</h1>
<p>${about}</p>
${content}</div>
`;

/** Renders the form of a view. Without a script it is sent as it is, with all that the next page is rendered for. */
const renderForm = (
  view: FactorMethod,
  { mfaToken, methods, next }: SecondStep,
  fields: Html,
): Html =>
  html`<form id="${view}" method="post" action="/second-factor" novalidate>
${hidden('mfaToken', mfaToken)}${hidden('methods', methods.join(' '))}${hidden('shown', view)}${next === undefined ? undefined : hidden('next', next)}
${fields}
</form>
`;

const confirmButton = html`<button type="submit" class="btn primary lg wide">${texts.confirm}</button>`;

const remember = html`<label class="opt"><input type="checkbox" name="remember" value="on">${texts.remember}</label>`;

const renderError = (id: string, error: string | undefined): Html =>
  html`<p class="err" id="${id}" role="alert">${error}</p>`;

/** Renders a button to another view, which works without a script. */
const toView = (view: FactorMethod, form: FactorMethod, label: Html | string, look = ''): Html =>
  html`<button type="submit" class="${look}" form="${form}" name="view" value="${view}" formnovalidate>${label}</button>`;

const icon = (name: string): Html => html`<i class="i-${name}" aria-hidden="true"></i>`;

/** Renders a button that asks for a passkey, which takes a script. */
const passkeyButton = (look: string): Html =>
  html`<button type="button" class="btn ${look}lg wide" data-passkey hidden>${icon('pass')}${texts.usePasskey}</button>`;

const recoveryButton = (form: FactorMethod): Html =>
  toView('recovery', form, html`${icon('key')}${texts.useRecovery}`, 'btn lg wide');

const otherPerson = ({ toLogin }: SecondStep): Html =>
  html`<p class="foot-l"><a href="${toLogin}" data-someone-else>${texts.someoneElse}</a></p>
`;

const renderTotp = (step: SecondStep): Html => {
  const error = step.view === 'totp' ? step.error : undefined;
  const fields = html`<div class="field"><label for="totp-code">${texts.code}</label>
${codeInput({ id: 'totp-code', describedBy: 'totp-error', isInvalid: error !== undefined, hasFocus: step.view === 'totp' })}
${renderError('totp-error', error)}</div>
${remember}
${confirmButton}`;
  return html`${renderForm('totp', step, fields)}<p class="or">${texts.or}</p>
<div class="ways">${passkeyButton('')}${recoveryButton('totp')}</div>
<p class="err" role="alert" data-failure></p>
${otherPerson(step)}`;
};

const renderPasskey = (step: SecondStep): Html =>
  html`<noscript><p class="note">${texts.passkeyNeedsScript}</p></noscript>
${renderForm('passkey', step, html`${remember}${passkeyButton('primary ')}`)}<p class="err" role="alert" data-failure></p>
<p class="or">${texts.or}</p>
<div class="ways">${recoveryButton('passkey')}</div>
${otherPerson(step)}`;

const renderRecovery = (step: SecondStep): Html => {
  const error = step.view === 'recovery' ? step.error : undefined;
  const fields = html`<div class="field"><label for="recovery-code">${texts.recoveryCode}</label>
<input class="in mono" id="recovery-code" name="code" type="text" required autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="40" placeholder="${texts.recoveryPlaceholder}" aria-describedby="recovery-error"${error === undefined ? undefined : html` aria-invalid="true"`}${step.view === 'recovery' ? html` autofocus` : undefined}>
${renderError('recovery-error', error)}</div>
${confirmButton}`;
  const back = getFirstView(step.methods);
  return html`${renderForm('recovery', step, fields)}<p class="foot-l">${texts.noneLeft}</p>
${back === 'recovery' ? otherPerson(step) : html`<p class="foot-l">${toView(back, 'recovery', texts.otherWay)}</p>\n`}`;
};

/**
 * Renders the cards of the step that follows the password, one for each way to confirm. A script shows them in place of the
 * form with the password; without one, each is a page, whose buttons lead to the others.
 */
export const secondFactorCards = (step: SecondStep): Html => {
  const views: readonly View[] = [
    {
      name: 'totp',
      mark: 'device',
      title: texts.confirmTitle,
      about: texts.enterCode,
      content: renderTotp(step),
    },
    {
      name: 'passkey',
      mark: 'device',
      title: texts.confirmTitle,
      about: texts.passkeyAbout,
      content: renderPasskey(step),
    },
    {
      name: 'recovery',
      mark: 'key',
      title: texts.useRecovery,
      about: texts.recoveryAbout,
      content: renderRecovery(step),
    },
  ];
  return html`${views.map((view) => renderView(view, step))}`;
};

/** Renders the page of that step for those who come from a form. It needs no script, unless the person has passkeys only. */
export const secondFactorPage = (step: SecondStep, theme: Theme | undefined): string =>
  cardFrame(
    {
      title: step.view === 'recovery' ? texts.useRecovery : texts.confirmTitle,
      theme,
      scripts: ['second-factor.js'],
      isReadable: true,
    },
    html`<div id="second-factor">${secondFactorCards(step)}</div>`,
  );
