import type { StoredUser } from '../../../../shared/auth/user.ts';
import { mustVerify } from '../../../../shared/auth/verification.ts';
import { type Html, html } from '../../../../shared/text/html.ts';
import { getAddressToVerify, readVerification } from '../../../api/users/account/link-token.ts';
import {
  getDestination,
  toLoginAfterSignOut,
  withNext,
} from '../../layout/addresses/destination.ts';
import { card } from '../../layout/card.ts';
import { scriptedForm } from '../../layout/form.ts';
import type { Theme } from '../../layout/theme.ts';
import { verifyTexts as texts } from './texts.ts';

/** What the verification page is rendered for. */
export interface VerifyVisit {
  readonly theme: Theme | undefined;
  /** The token of a link; empty without one. */
  readonly token: string;
  /** The page to open afterwards. */
  readonly next: string | undefined;
}

const strong = (text: string): Html => html`<strong dir="auto">${text}</strong>`;

const hidden = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`;

const toSelf = ({ token, next }: VerifyVisit): string =>
  token === '' ? withNext('/verify', next) : `/verify?token=${encodeURIComponent(token)}`;

/** Renders the page for signed-out visitors. `isUnknown`: only a script can tell if they are signed in (decisions.md#pages). */
export const signInFirstPage = (visit: VerifyVisit, isUnknown: boolean): string =>
  card({
    title: texts.title,
    theme: visit.theme,
    ...(isUnknown && { scripts: ['arrival.js'] as const }),
    content: html`<p>${texts.signInFirst}</p>
<a class="btn primary lg wide" href="${withNext('/login', toSelf(visit))}">${texts.signIn}</a>`,
  });

const signOut = (visit: VerifyVisit, label: string): Html =>
  html`<form id="sign-out" method="post" novalidate>${hidden('to', toLoginAfterSignOut(toSelf(visit)))}
<button type="submit" class="btn ghost lg wide">${label}</button></form>`;

const otherAccountPage = (user: StoredUser, visit: VerifyVisit): string =>
  card({
    title: texts.otherAccount,
    theme: visit.theme,
    scripts: ['verify.js'],
    content: html`<p>${texts.otherAccountAbout(strong(user.email))}</p>
${signOut(visit, texts.switchAccount)}`,
  });

const linkPage = (user: StoredUser, email: string, visit: VerifyVisit): string => {
  const isNew = user.pendingEmail !== undefined;
  return card({
    title: isNew ? texts.confirmTitle : texts.title,
    theme: visit.theme,
    scripts: ['verify.js'],
    content: html`<p>${isNew ? texts.confirmAbout(strong(email), strong(user.email)) : texts.about(strong(email))}</p>
${scriptedForm('verify', hidden('token', visit.token), isNew ? texts.confirm : texts.verify)}`,
  });
};

const verifiedPage = (user: StoredUser, { theme, next }: VerifyVisit): string =>
  card({
    title: texts.done,
    theme,
    content: html`<p>${texts.doneAbout(strong(user.email))}</p>
<a class="btn primary lg wide" href="${getDestination(next)}">${texts.goOn}</a>`,
  });

const sendPage = (
  user: StoredUser,
  email: string,
  visit: VerifyVisit,
  isMailOn: boolean,
): string => {
  const isBadLink = visit.token !== '';
  const isUnreachable = user.pendingEmail === undefined && user.emailProblem !== undefined;
  const about = isUnreachable ? texts.unreachable(strong(email)) : texts.open(strong(email));
  return card({
    title: isBadLink ? texts.badLink : texts.title,
    theme: visit.theme,
    scripts: ['verify.js'],
    content: html`<p>${isBadLink ? texts.badLinkAbout : isMailOn ? about : texts.noMail}</p>
${isMailOn && !isUnreachable ? scriptedForm('send', html``, texts.send) : undefined}
${signOut({ ...visit, token: '' }, texts.signOut)}`,
    ...(mustVerify(user) && { after: html`${texts.wrongAddress}` }),
  });
};

/** Renders the page for a signed-in user: what the link would verify, or how to get another one. */
export const verifyPage = (user: StoredUser, visit: VerifyVisit, isMailOn: boolean): string => {
  const proven = readVerification(user, visit.token);
  if (proven !== undefined) return linkPage(user, proven, visit);
  const owner = visit.token.split('.')[0];
  if (owner && owner !== String(user.id)) return otherAccountPage(user, visit);
  const email = getAddressToVerify(user);
  if (email === undefined) return verifiedPage(user, visit);
  return sendPage(user, email, visit, isMailOn);
};
