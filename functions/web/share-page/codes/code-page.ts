import { toShownEmail } from '../../../../shared/text/email-address.ts';
import { type Html, html } from '../../../../shared/text/html.ts';
import type { AskingLink } from '../../../api/share/codes/asking.ts';
import { codeInput } from '../../layout/gate/code-input.ts';
import { gatePage } from '../../layout/gate/gate-page.ts';
import type { Theme } from '../../layout/theme.ts';
import { footer } from '../gates/open-page.ts';
import { codeTexts as texts } from './texts.ts';

/** Returns an email address as far as its owner knows it from others: `t•••s@ruiz.example`. */
const mask = (email: string): string => {
  const shown = toShownEmail(email);
  const at = shown.lastIndexOf('@');
  const last = at > 3 ? shown.charAt(at - 1) : '';
  return `${shown.charAt(0)}•••${last}${shown.slice(at)}`;
};

/** What the pages are shown with. */
export interface Shown {
  readonly theme: Theme | undefined;
  /** What is wrong. */
  readonly error?: string | undefined;
  /** Whether a script asks first for the session, which shows the owner the share. */
  readonly asksFirst?: boolean;
}

const failed = (error: string): Html =>
  html`<p class="err" id="about-code" role="alert">${error}</p>`;

/** Renders the wish to send a code. Only its button sends one: programs that look at links press none. */
export const askPage = (
  { id, email }: AskingLink,
  { theme, error, asksFirst = false }: Shown,
): string =>
  gatePage({
    title: texts.ask,
    mark: 'mail',
    theme,
    about: texts.askWhy,
    scripts: [asksFirst ? 'arrival-key.js' : 'keep-key.js'],
    content: html`<form method="post" action="/s/${id}/code">
${error === undefined ? undefined : failed(error)}<button class="btn primary lg wide long" type="submit">${texts.sendTo(mask(email))}</button>
</form>
`,
    footer: footer(id),
  });

/** Renders the form for the code that was sent, and after how many seconds there is another one. */
export const enterPage = (
  { id, email }: AskingLink,
  waitSeconds: number,
  { theme, error }: Shown,
): string => {
  return gatePage({
    title: texts.sent,
    mark: 'mail',
    theme,
    about: html`${texts.sharedWith} <b>${mask(email)}</b>. ${texts.sentWhy}`,
    scripts: ['code.js'],
    content: html`<form method="post" action="/s/${id}/proof">
<div class="field"><label for="code">${texts.code}</label>
${codeInput({ id: 'code', describedBy: 'about-code', isInvalid: error !== undefined, hasFocus: true })}
${error === undefined ? html`<p class="hint" id="about-code">${texts.hint}</p>` : failed(error)}</div>
<button class="btn primary lg wide" type="submit">${texts.open}</button>
</form>
<form class="again" method="post" action="/s/${id}/code"><p class="note">${error === undefined ? `${texts.nothing} ` : undefined}<button type="submit">${texts.again}</button>${waitSeconds > 0 ? html` <span data-wait="${waitSeconds}">${texts.wait(waitSeconds)}</span>` : undefined}</p></form>
`,
    footer: footer(id),
  });
};
