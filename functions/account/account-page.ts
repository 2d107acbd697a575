import { type Html, html } from '../../shared/html.ts';
import { layout } from '../assets/layout.ts';
import { checkinCard } from './checkin-card.ts';
import { field, form, labelled, showPasswords } from './fields.ts';

const section = (id: string, title: string, content: Html): Html =>
  html`<section class="card" aria-labelledby="${id}-title">
<h2 id="${id}-title" tabindex="-1">${title}</h2>
${content}
</section>`;

const profile = section(
  'profile',
  'Profile',
  form(
    'profile',
    html`<div class="columns">
${field('profile', { name: 'name', label: 'Name', autocomplete: 'name' })}
${field('profile', { name: 'username', label: 'Username', autocomplete: 'nickname', isCode: true })}
${field('profile', { name: 'phone', label: 'Phone', type: 'tel', autocomplete: 'tel', isOptional: true })}
${labelled(
  'profile',
  { name: 'timezone', label: 'Time zone', isOptional: true },
  (id, describedBy) =>
    html`<select id="${id}" name="timezone" autocomplete="off" aria-describedby="${describedBy}"><option value="">Not set</option></select>`,
)}
</div>`,
    'Save the profile',
  ),
);

const email = section(
  'email',
  'E-mail',
  form(
    'email',
    html`<div class="columns">
${field('email', { name: 'email', label: 'E-mail', type: 'email', autocomplete: 'email' })}
${field('email', { name: 'currentPassword', label: 'Current password', type: 'password', autocomplete: 'current-password', hint: 'To be sure that it is you.' })}
</div>`,
    'Change the e-mail',
  ),
);

const password = section(
  'password',
  'Password',
  html`<p>Changing it signs you out everywhere else.</p>
${form(
  'password',
  html`<input name="username" type="text" autocomplete="username" hidden>
${field('password', { name: 'currentPassword', label: 'Current password', type: 'password', autocomplete: 'current-password' })}
<div class="columns">
${field('password', { name: 'password', label: 'New password', type: 'password', autocomplete: 'new-password', hint: 'At least 6 characters.' })}
${field('password', { name: 'confirmPassword', label: 'The same password again', type: 'password', autocomplete: 'new-password' })}
</div>
${showPasswords}`,
  'Change the password',
)}`,
);

const sessions = section(
  'sessions',
  'Sessions',
  html`<p>Where you are signed in.</p>
<ul class="records" id="sessions"></ul>
<p class="wrong" id="sessions-wrong" role="alert"></p>
<button type="button" class="quiet" id="end-others" hidden>End all others</button>
<p class="done" id="sessions-done" role="status"></p>`,
);

const tokens = section(
  'tokens',
  'API tokens',
  html`<p>For scripts that call the API in your name.</p>
<ul class="records" id="tokens"></ul>
<p id="no-tokens" hidden>You have none.</p>
<p class="wrong" id="tokens-wrong" role="alert"></p>
<p class="done" id="tokens-done" role="status"></p>
<div class="minted" id="minted" hidden>
<label for="minted-token">Your new token. Copy it now: it is not shown again.</label>
<div class="copy"><input id="minted-token" type="text" readonly autocomplete="off" spellcheck="false">
<button type="button" id="copy">Copy</button></div>
<p class="done" id="copied" role="status"></p>
</div>
<h3>Make a token</h3>
${form(
  'token',
  html`<div class="columns">
${field('token', { name: 'name', label: 'What it is for', autocomplete: 'off' })}
${field('token', { name: 'expiresInDays', label: 'Days until it expires', type: 'number', autocomplete: 'off', isOptional: true, hint: 'Left empty, it lasts until you revoke it.' })}
</div>
${field('token', { name: 'permissions', label: 'Permissions', autocomplete: 'off', isOptional: true, isCode: true, hint: 'Such as documents:view files:*, with spaces between. Left empty, it may do all that you may.' })}`,
  'Make the token',
)}`,
);

/** The page of one's own account: forms and places for what its script is told by the API. */
export const accountPage = (): string =>
  layout({
    title: 'Your account · Handbill',
    kind: 'account',
    styles: ['account.css'],
    script: 'account.js',
    site: 'account',
    main: html`<main id="main">
<div class="title"><h1>Your account</h1>
<button type="button" class="quiet" id="sign-out" hidden>Sign out</button></div>
<p id="loading" role="status"></p>
<p class="wrong" id="failure" role="alert"></p>
<div id="content" hidden>
<p id="who"></p>
${checkinCard()}
${profile}
${email}
${password}
${sessions}
${tokens}
</div>
</main>`,
  });
