import type { StoredMail } from '../store.ts';
import { mailboxTexts as texts } from './texts.ts';

/** How often the page asks for new emails while it is visible, in ms. */
const pollMs = 2_000;

const find = <E extends HTMLElement>(id: string): E => document.getElementById(id) as E;

const path = document.body.dataset['path'] ?? '';
const list = find<HTMLUListElement>('list');
const article = find('mail');
const field = document.querySelector<HTMLInputElement>('.find input');
const views = [...document.querySelectorAll<HTMLButtonElement>('[data-show]')];
const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' });

/** The emails of the page, newest first. */
let mails: StoredMail[] = [];
let openId: number | undefined;
let shown = 'html';

const recipients = ({ destination: { to, cc, bcc } }: StoredMail): string =>
  [...to, ...cc, ...bcc].join(', ');

/** Returns the first link of a text, which is that of the email's button. */
const findLink = ({ body }: StoredMail): string | undefined =>
  body.text.match(/https?:\/\/\S+/)?.[0];

/** Returns the first words after the greeting. */
const excerpt = ({ body }: StoredMail): string =>
  body.text.split('\n\n').find((text) => !/^Hello\b/.test(text)) ?? '';

const create = (tag: string, text: string, className = ''): HTMLElement => {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = text;
  return element;
};

const createRow = (mail: StoredMail): HTMLLIElement => {
  const row = document.createElement('li');
  const link = document.createElement('a');
  link.href = `#${mail.id}`;
  link.append(
    create('b', recipients(mail), 'cut small'),
    create('time', time.format(mail.at)),
    create('p', mail.subject, 'cut'),
    create('p', excerpt(mail), 'cut'),
  );
  row.append(link);
  return row;
};

const isWanted = (mail: StoredMail): boolean => {
  const text = `${recipients(mail)} ${mail.subject} ${mail.body.text}`.toLowerCase();
  const words = (field?.value ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  return words.every((word) => text.includes(word));
};

const markOpen = (): void => {
  for (const link of list.querySelectorAll('a')) {
    if (link.hash === `#${openId}`) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
};

const filter = (): void => {
  for (const [at, row] of [...list.children].entries()) {
    const mail = mails[at];
    (row as HTMLElement).hidden = mail === undefined || !isWanted(mail);
  }
  const none = find('none');
  none.hidden = list.querySelector('li:not([hidden])') !== null;
  none.textContent = mails.length === 0 ? texts.none : texts.noMatch;
};

const showBody = (mail: StoredMail): void => {
  const frame = find<HTMLIFrameElement>('frame');
  const plain = find('plain');
  for (const view of views) {
    view.setAttribute('aria-pressed', String(view.dataset['show'] === shown));
  }
  frame.hidden = shown !== 'html';
  plain.hidden = shown === 'html';
  if (shown === 'html') {
    const address = `${path}/emails/${mail.id}`;
    if (frame.getAttribute('src') !== address) frame.src = address;
  } else {
    plain.textContent = shown === 'text' ? mail.body.text : mail.body.html;
  }
};

const open = (id: number | undefined): void => {
  const mail = mails.find((one) => one.id === id);
  openId = mail?.id;
  article.hidden = !mail;
  markOpen();
  if (!mail) return;
  find('subject').textContent = mail.subject;
  find('from').textContent = mail.from;
  find('to').textContent = `${recipients(mail)} · ${time.format(mail.at)}`;
  const link = findLink(mail);
  const button = find<HTMLAnchorElement>('open');
  button.hidden = link === undefined;
  if (link !== undefined) button.href = link;
  showBody(mail);
};

/** Adds what came in. The open email stays; the first one opens. */
const receive = (news: readonly StoredMail[]): void => {
  if (news.length === 0) return;
  mails = [...[...news].reverse(), ...mails];
  for (const mail of news) list.prepend(createRow(mail));
  filter();
  if (openId === undefined) open(Number(location.hash.slice(1)) || mails[0]?.id);
  if (openId === undefined) open(mails[0]?.id);
  markOpen();
};

const poll = async (): Promise<void> => {
  const isFirst = mails.length === 0;
  try {
    const response = await fetch(`${path}/store?since=${mails[0]?.id ?? 0}`, {
      signal: AbortSignal.timeout(10_000),
    });
    const { emails } = (await response.json()) as { readonly emails: readonly StoredMail[] };
    receive(emails);
    const newest = emails.at(-1);
    if (newest && !isFirst) find('status').textContent = texts.arrived(newest.subject);
  } catch {
    // The service has stopped, or restarts: the next time tells.
  }
};

const pollWhileVisible = async (): Promise<void> => {
  if (document.visibilityState === 'visible') await poll();
  setTimeout(pollWhileVisible, pollMs);
};

list.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element && target.closest('a'))) return;
  document.body.classList.add('reads');
  // On phones the list is now hidden, and with it the link that has the focus.
  if (list.offsetParent === null) article.focus();
});
// On phones either is shown: what has the focus stays when the window gets narrow.
article.addEventListener('focusin', () => document.body.classList.add('reads'));
const showList = (): void => {
  document.body.classList.remove('reads');
  list.querySelector<HTMLElement>('[aria-current]')?.focus();
};
addEventListener('hashchange', () => {
  // Back leads to the address without an email, which is the list.
  if (location.hash === '') return showList();
  document.body.classList.add('reads');
  open(Number(location.hash.slice(1)));
});
find('back').addEventListener('click', showList);
field?.addEventListener('input', filter);
for (const view of views) {
  view.addEventListener('click', () => {
    shown = view.dataset['show'] ?? 'html';
    const mail = mails.find(({ id }) => id === openId);
    if (mail) showBody(mail);
  });
}
find('clear').addEventListener('click', async () => {
  const response = await fetch(`${path}/clear-store`, { method: 'POST' });
  if (!response.ok) return;
  mails = [];
  list.replaceChildren();
  document.body.classList.remove('reads');
  open(undefined);
  filter();
});

filter();
await pollWhileVisible();
