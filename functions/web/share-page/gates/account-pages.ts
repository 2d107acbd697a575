import { isPasswordSignInOn } from '../../../../shared/auth/ways-in.ts';
import type { PublicError } from '../../../../shared/http/route.ts';
import { getSetting } from '../../../../shared/runtime/settings.ts';
import { type Html, html } from '../../../../shared/text/html.ts';
import { slugPattern } from '../../../api/share/record/slug-pattern.ts';
import { toLoginAfterSignOut, withNext } from '../../layout/addresses/destination.ts';
import { errorPageTexts } from '../../layout/error-texts.ts';
import { gatePage, way } from '../../layout/gate/gate-page.ts';
import { getInitials } from '../../layout/initials.ts';
import { siteTexts } from '../../layout/texts.ts';
import { readTheme } from '../../layout/theme.ts';
import { isArrival } from '../../layout/visit.ts';
import { gateTexts as texts } from './texts.ts';

/** Returns the id or slug in the address of a share’s page. */
export const toName = ({ path }: PublicError): string => path.split('/')[2] ?? '';

/** Returns the address that signing in leads back to: this one, or the page of the share after a form. */
const toNext = (failure: PublicError): string => {
  const { method, path, query } = failure;
  if (method !== 'GET' && method !== 'HEAD') return `/s/${toName(failure)}`;
  return query === '' ? path : `${path}?${query}`;
};

/**
 * Returns the script that asks for the session, where only a script can tell if there is one (decisions.md#pages). Each keeps the
 * key of a sealed share for the way back.
 */
const chooseScripts = ({ site, cookies }: PublicError) =>
  isArrival({ 'sec-fetch-site': site }, cookies)
    ? (['arrival-key.js'] as const)
    : (['keep-key.js'] as const);

/** Renders the ways to sign in that lead back. */
const waysIn = (failure: PublicError): Html => {
  const next = toNext(failure);
  // Without passwords, the sign-in page is also where accounts begin.
  const isOpen = getSetting('REGISTRATION') === 'open' && isPasswordSignInOn();
  return html`<div class="ways">${way(withNext('/login', next), texts.signIn, 'primary ')}${isOpen ? way(withNext('/register', next), texts.createAccount) : undefined}</div>
`;
};

const aboutLink = html`<a href="/">${siteTexts.about}</a>`;

/** What a reader who has signed in must do first, and the page for that. */
const findFirstStep = ({ isLeaving, isUnverified, isUnenrolled }: PublicError) => {
  if (isLeaving) {
    return {
      ...{ title: texts.keepFirst, about: texts.keepFirstWhy },
      ...{ page: '/leaving', label: texts.keep },
    };
  }
  if (isUnverified) {
    return {
      ...{ title: texts.verifyFirst, about: texts.verifyFirstWhy },
      ...{ page: '/verify', label: texts.verify },
    };
  }
  if (!isUnenrolled) return undefined;
  return {
    ...{ title: texts.enrolFirst, about: texts.enrolFirstWhy },
    ...{ page: '/enrol', label: texts.enrol },
  };
};

/**
 * Renders the wish that its reader signs in, of a share that isn’t open to all, or keeps the account, verifies the address or
 * sets up a second factor first.
 */
export const signInPage = (failure: PublicError): string => {
  const next = toNext(failure);
  const first = findFirstStep(failure);
  return gatePage({
    mark: 'person',
    theme: readTheme(failure.cookies),
    note: texts.comeBack,
    footer: aboutLink,
    ...(first
      ? {
          title: first.title,
          about: first.about,
          content: way(withNext(first.page, next), first.label, 'primary '),
          scripts: ['keep-key.js'],
        }
      : {
          title: texts.signInFirst,
          about: texts.signInFirstWhy,
          content: waysIn(failure),
          scripts: chooseScripts(failure),
        }),
  });
};

/** Renders whose session it is, and the way to another account. */
const account = (failure: PublicError, { name, email }: { name: string; email: string }): Html =>
  html`<div class="ways"><div class="whoami"><span class="av" aria-hidden="true">${getInitials(name)}</span><span class="cut">${email}</span><button class="end" type="button" data-switches="${toLoginAfterSignOut(toNext(failure))}" aria-label="${texts.switchAccountWhy}" hidden>${texts.switchAccount}</button></div>
<p class="err" role="alert" data-failure hidden>${texts.notSwitched}</p>${way('/shares?with=me', texts.sharedWithMe)}</div>
`;

/**
 * Renders that there is no share, or none for this reader: both are one page. It names the account, and offers to sign in where
 * an address is a name, which the signed out learn nothing of (decisions.md#audience).
 */
export const notFoundPage = (failure: PublicError): string => {
  const { actor, status, requestId, cookies } = failure;
  const gate = {
    title: texts.notFound,
    mark: 'question',
    theme: readTheme(cookies),
    footer: errorPageTexts.about(status, requestId),
  } as const;
  if (actor) {
    return gatePage({
      ...gate,
      about: texts.notFoundForAccount,
      content: account(failure, actor.user),
      scripts: ['switch-account.js'],
    });
  }
  if (!slugPattern.test(toName(failure))) {
    const content = way('/', errorPageTexts.toStart, 'primary ');
    return gatePage({ ...gate, about: texts.notFoundWhy, content });
  }
  return gatePage({
    ...gate,
    about: texts.notFoundByName,
    content: waysIn(failure),
    scripts: chooseScripts(failure),
  });
};
