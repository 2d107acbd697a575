import { randomBytes } from 'node:crypto';
import { Html, html } from '../../shared/html.ts';
import type { ShownFailure } from '../../shared/route.ts';
import type { FoundShare, StoredShare } from '../share/share.ts';
import { layout } from './layout.ts';

/** What the frame may do, here and in the snippet's own policy (decisions §4, Isolation). Never the same origin. */
export const sandbox =
  'allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals allow-downloads';

const titleOf = ({ title }: StoredShare): string => title ?? 'Shared snippet';

const footer = html`<footer>Made by a user of this service and shown as it was sent.</footer>`;

const heading = (share: StoredShare): Html => html`<header>
<h1>${titleOf(share)}</h1>
${share.description === undefined ? undefined : html`<p>${share.description}</p>`}
</header>`;

/** A Markdown share. `rendered` is the fragment that was made, and made safe, when it was stored. */
export const markdownPage = (share: StoredShare, rendered: string): string =>
  layout({
    title: titleOf(share),
    kind: 'reading',
    main: html`${heading(share)}<main>${new Html(rendered)}</main>`,
    footer,
  });

/** An HTML share: its content is framed by its real address on the snippets' host. */
export const framePage = (share: StoredShare, frameUrl: string): string =>
  layout({
    title: titleOf(share),
    kind: 'framing',
    main: html`${heading(share)}<main><iframe title="The snippet" src="${frameUrl}" sandbox="${sandbox}" referrerpolicy="no-referrer"></iframe></main>`,
    footer,
  });

/**
 * What stands before a share that has a password or a limit, and tells nothing of a protected one.
 * Looking at it counts nothing, so that link previews and mail scanners use up no view.
 */
export const confirmPage = ({ share, gate }: FoundShare, wrong?: string): string => {
  const { id, password, viewLimit } = share;
  const left = viewLimit === undefined ? undefined : viewLimit - gate.views;
  const cost = left === undefined ? undefined : `This uses 1 of ${left} views.`;
  return layout({
    title: 'Open a shared snippet',
    kind: 'notice',
    main: html`<main><form class="card" method="post" action="/s/${id}/open">
<h1>Someone shared a snippet with you</h1>
${wrong === undefined ? undefined : html`<p class="wrong" role="alert">${wrong}</p>`}
${password ? passwordField : html`<p>${cost}</p>`}
<input type="hidden" name="claim" value="${randomBytes(9).toString('base64url')}">
<button type="submit">Open it</button>
</form></main>`,
  });
};

const passwordField = html`<p>It is protected by a password.</p>
<label for="password">Password</label>
<input id="password" name="password" type="text" required maxlength="64" autocomplete="off" autocapitalize="none" spellcheck="false">`;

/** Without a text the failure's own message is shown. */
const failures: Readonly<Record<string, { readonly title: string; readonly text?: string }>> = {
  NOT_FOUND: {
    title: 'Nothing here',
    text: 'There is no share at this address, or its owner has deleted it.',
  },
  GONE: { title: 'Not here any more' },
  UNAUTHORIZED: { title: 'Not opened' },
  RATE_LIMITED: { title: 'Too many tries' },
  SERVICE_UNAVAILABLE: { title: 'Busy right now', text: 'Try again in a moment.' },
};

/** What a reader is shown instead of an error envelope. */
export const failurePage = ({ code, message, requestId }: ShownFailure): string => {
  const { title, text = message } = failures[code] ?? {
    title: 'Something went wrong',
    text: `This is our fault, not yours. It is noted as ${requestId}.`,
  };
  return layout({
    title,
    kind: 'notice',
    main: html`<main><div class="card"><h1>${title}</h1><p>${text}</p></div></main>`,
  });
};
