import { can } from '../../../../shared/permissions/permissions.ts';
import { Html, html } from '../../../../shared/text/html.ts';
import { nameShortcut } from '../command-key.ts';
import { type CountName, formatCount, labelBell } from '../counts.ts';
import type { IconName } from '../icons.ts';
import { getInitials } from '../initials.ts';
import type { PageSession, SignedIn } from '../session.ts';
import { siteTexts } from '../texts.ts';
import type { Theme } from '../theme.ts';
import { type Entry, entries } from './entries.ts';
import { shellTexts as texts } from './texts.ts';

/** The path of a page that has an entry, or of one that has none. */
export type Path =
  | (typeof entries)[keyof typeof entries][number]['path']
  | '/account'
  | '/notifications';

/** Renders an icon. `isLarge` is 20 instead of 16 px. */
export const icon = (name: IconName, { isLarge = false } = {}): Html =>
  html`<i class="i-${name}${isLarge ? ' l' : undefined}" aria-hidden="true"></i>`;

const current = new Html(' aria-current="page"');

/** Renders a count beside an entry; hidden at zero, for the script to show. */
const count = (name: CountName, value: number): Html =>
  html`<span class="count on" data-count="${name}"${value === 0 ? new Html(' hidden') : undefined}>${formatCount(name, value)}</span>`;

const isShown = ({ permission, isPublic }: Entry, session: PageSession): boolean => {
  if (session.state !== 'signed-in') return isPublic ?? false;
  return permission === undefined || can(session.permissions, permission);
};

const countOf = ({ count: name }: Entry, session: PageSession): Html | undefined =>
  name && session.state === 'signed-in' ? count(name, session.counts[name]) : undefined;

/** Lists the entries that a user may open, of one part of the sidebar. */
const listEntries = (part: keyof typeof entries, session: PageSession): readonly Entry[] =>
  entries[part].filter((entry: Entry) => isShown(entry, session));

const link = (entry: Entry, here: Path, session: PageSession): Html =>
  html`<a href="${entry.path}"${entry.path === here ? current : undefined} title="${entry.label}">${icon(entry.icon)}${entry.label}${countOf(entry, session)}</a>`;

const group = (all: readonly Entry[], here: Path, session: PageSession, title?: Html) =>
  all.length === 0
    ? undefined
    : html`<div class="g">${title}${all.map((entry) => link(entry, here, session))}</div>\n`;

const themeButton = (value: Theme | 'system', name: IconName, chosen: Theme | undefined): Html =>
  html`<button type="button" data-theme-choice="${value}" aria-pressed="${String((chosen ?? 'system') === value)}" aria-label="${texts.themes[value]}">${icon(name)}</button>`;

/** Renders the controls of the colors. */
const themeSegment = (theme: Theme | undefined): Html =>
  html`<div class="theme"><span>${texts.theme}</span><span class="seg" role="group" aria-label="${texts.theme}">${themeButton('system', 'screen', theme)}${themeButton('light', 'sun', theme)}${themeButton('dark', 'moon', theme)}</span></div>`;

const streak = ({ checkin: { checkedIn, streak: days } }: SignedIn): Html =>
  html`<div class="streak" id="checkin">${icon('fire')}<span id="streak">${texts.streak(days)}</span><button type="button" class="btn sm" id="check-in"${checkedIn ? new Html(' disabled') : undefined}>${checkedIn ? texts.checkedIn : texts.checkIn}</button></div>\n`;

const userButton = ({ user: { name, roleLabel } }: SignedIn): Html =>
  html`<button type="button" class="me" popovertarget="me-menu"><span class="av" aria-hidden="true">${getInitials(name)}</span><span class="grow"><b class="cut">${name}</b><small>${roleLabel}</small></span>${icon('sort')}</button>\n`;

const userMenu = (theme: Theme | undefined): Html =>
  html`<div popover id="me-menu" class="menu"><a href="/account">${icon('user')}${texts.account}</a><a href="/api/docs">${icon('code')}${texts.docs}</a><button type="button" id="show-keys">${icon('key')}${texts.keys}<kbd aria-hidden="true">?</kbd></button>${themeSegment(theme)}<hr><button type="button" id="sign-out">${icon('out')}${texts.signOut}</button></div>\n`;

const foot = (session: PageSession, theme: Theme | undefined): Html => {
  if (session.state === 'signed-in') {
    return html`<div class="foot">${streak(session)}${userButton(session)}</div>${userMenu(theme)}`;
  }
  if (session.state === 'unknown') return html``;
  return html`<div class="foot"><a class="btn wide" href="/login">${icon('user')}<span>${texts.signIn}</span></a></div>\n`;
};

const jump = (onApple: boolean): Html =>
  html`<button type="button" class="jump" commandfor="palette" command="show-modal">${icon('search')}${texts.jump}<kbd aria-hidden="true">${nameShortcut('K', onApple)}</kbd></button>\n`;

/** Renders the sidebar: the pages that this user may open, the check-in, and the user's menu. */
export const sidebar = (
  here: Path,
  session: PageSession,
  theme: Theme | undefined,
  onApple: boolean,
): Html =>
  html`<nav class="side" id="side" aria-label="${siteTexts.navigation}"><a class="brand" href="/">${siteTexts.brand}</a>
${session.state === 'signed-in' ? jump(onApple) : undefined}${group(listEntries('main', session), here, session)}${group(listEntries('administration', session), here, session, html`<h2>${texts.administration}</h2>`)}${foot(session, theme)}</nav>
`;

const bell = ({ counts: { notifications } }: SignedIn): Html =>
  html`<button type="button" class="btn ghost icon bell" id="bell" aria-label="${labelBell(notifications)}" popovertarget="inbox">${icon('bell', { isLarge: true })}${count('notifications', notifications)}</button>`;

/** Renders the bar above the page: its title, its actions and the bell. */
export const titleBar = (heading: Html, actions: Html | undefined, session: PageSession): Html =>
  html`<header class="bar" id="bar"><h1>${heading}</h1><div class="acts">${actions}${session.state === 'signed-in' ? bell(session) : undefined}</div></header>
`;

/** What the bottom bar of phones shows at most, besides the button for all others. */
const maxTabs = 4;
const tabOrder: readonly string[] = ['/dashboard', '/shares', '/', '/messages'];

const tab = (entry: Entry, here: Path, session: PageSession): Html => {
  const large = icon(entry.icon, { isLarge: true });
  const isMain = entry.path === '/';
  return html`<a href="${entry.path}"${isMain ? new Html(' class="go"') : undefined}${entry.path === here ? current : undefined}>${isMain ? html`<span>${large}</span>` : large}${countOf(entry, session)}${entry.label}</a>`;
};

/** Renders the bottom bar, which takes the place of the sidebar on phones, and the sheet with all other pages. */
export const bottomBar = (here: Path, session: PageSession, theme: Theme | undefined): Html => {
  const all = [...listEntries('main', session), ...listEntries('administration', session)];
  const tabs = tabOrder
    .flatMap((path) => all.find((entry) => entry.path === path) ?? [])
    .slice(0, maxTabs);
  if (session.state !== 'signed-in') {
    return html`<nav class="tab-bar" aria-label="${texts.shortNavigation}">${tabs.map((entry) => tab(entry, here, session))}${session.state === 'unknown' ? undefined : html`<a href="/login">${icon('user', { isLarge: true })}${texts.signIn}</a>`}</nav>\n`;
  }
  const others = all.filter((entry) => !tabs.includes(entry));
  return html`<nav class="tab-bar" aria-label="${texts.shortNavigation}">${tabs.map((entry) => tab(entry, here, session))}<button type="button" commandfor="more-pages" command="show-modal">${icon('menu', { isLarge: true })}${texts.more}</button></nav>
<dialog class="drawer" id="more-pages" data-sheet closedby="any" aria-label="${texts.more}"><div class="fill menu"><button type="button" commandfor="palette" command="show-modal">${icon('search')}${texts.jump}</button>${others.map((entry) => link(entry, here, session))}<a href="/account">${icon('user')}${texts.account}</a>${themeSegment(theme)}<button type="button" data-sign-out>${icon('out')}${texts.signOut}</button></div></dialog>
`;
};

/** Renders what the shell's script fills: palette, notifications, list of keys, and messages. */
export const overlays = (session: PageSession): Html => {
  const toasts = html`<div class="toasts" id="toasts"></div>\n`;
  if (session.state !== 'signed-in') return toasts;
  return html`<div popover id="inbox" class="inbox" role="dialog" aria-label="${labelBell(0)}"><p class="pad mute">${texts.loadingNotifications}</p></div>
<dialog id="palette" class="palette" closedby="any" aria-label="${texts.jump}"></dialog>
<dialog id="keys" class="modal" closedby="any" aria-label="${texts.keys}"></dialog>
${toasts}`;
};
