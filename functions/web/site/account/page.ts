import { type Html, html } from '../../../../shared/text/html.ts';
import { checkbox, field, form, labelled, showPasswords } from '../../layout/fields.ts';
import type { ShellPage } from '../../layout/shell.ts';
import { fieldTexts as fields } from '../../layout/texts.ts';
import { accountTexts as texts } from './texts.ts';

const section = (id: string, title: string, content: Html): Html =>
  html`<section class="card" aria-labelledby="${id}-title">
<h2 id="${id}-title" tabindex="-1">${title}</h2>
${content}
</section>`;

const profile = section(
  'profile',
  texts.profile,
  form(
    'profile',
    html`<div class="columns">
${field('profile', { name: 'name', label: fields.name, autocomplete: 'name' })}
${field('profile', { name: 'username', label: fields.username, autocomplete: 'nickname', isCode: true })}
${field('profile', { name: 'phone', label: fields.phone, type: 'tel', autocomplete: 'tel', isOptional: true })}
${labelled(
  'profile',
  { name: 'timezone', label: fields.timezone, isOptional: true },
  (id, describedBy) =>
    html`<select id="${id}" name="timezone" autocomplete="off" aria-describedby="${describedBy}"><option value="">${fields.noTimezone}</option></select>`,
)}
</div>
${checkbox('profile', { name: 'notifyNewSignIns', label: texts.notifyNewSignIns, hint: texts.notifyNewSignInsHint })}`,
    texts.saveProfile,
  ),
);

const email = section(
  'email',
  fields.email,
  form(
    'email',
    html`<div class="columns">
${field('email', { name: 'email', label: fields.email, type: 'email', autocomplete: 'email' })}
${field('email', { name: 'currentPassword', label: fields.currentPassword, type: 'password', autocomplete: 'current-password', hint: texts.emailHint })}
</div>`,
    texts.changeEmail,
  ),
);

const password = section(
  'password',
  fields.password,
  html`<p>${texts.passwordAbout}</p>
${form(
  'password',
  html`<input name="username" type="text" autocomplete="username" hidden>
${field('password', { name: 'currentPassword', label: fields.currentPassword, type: 'password', autocomplete: 'current-password' })}
<div class="columns">
${field('password', { name: 'password', label: fields.newPassword, type: 'password', autocomplete: 'new-password', hint: fields.passwordHint })}
${field('password', { name: 'confirmPassword', label: fields.samePassword, type: 'password', autocomplete: 'new-password' })}
</div>
${checkbox('password', { name: 'scope', label: texts.endTokens, hint: texts.endTokensHint })}
${showPasswords}`,
  texts.changePassword,
)}`,
);

const sessions = section(
  'sessions',
  texts.sessions,
  html`<p>${texts.sessionsAbout}</p>
<ul class="records" id="sessions"></ul>
<p class="wrong" id="sessions-wrong" role="alert"></p>
<button type="button" class="quiet" id="end-others" hidden>${texts.endOthers}</button>
<p class="done" id="sessions-done" role="status"></p>`,
);

const tokens = section(
  'tokens',
  texts.tokens,
  html`<p>${texts.tokensAbout}</p>
<ul class="records" id="tokens"></ul>
<p id="no-tokens" hidden>${texts.noTokens}</p>
<p class="wrong" id="tokens-wrong" role="alert"></p>
<p class="done" id="tokens-done" role="status"></p>
<div class="new-token" id="new-token" hidden>
<label for="new-token-value">${texts.newToken}</label>
<div class="copy"><input id="new-token-value" type="text" readonly autocomplete="off" spellcheck="false">
<button type="button" id="copy">${texts.copy}</button></div>
<p class="done" id="copied" role="status"></p>
</div>
<h3>${texts.makeToken}</h3>
${form(
  'token',
  html`<div class="columns">
${field('token', { name: 'name', label: texts.tokenName, autocomplete: 'off' })}
${field('token', { name: 'expiresInDays', label: texts.tokenDays, type: 'number', autocomplete: 'off', isOptional: true, hint: texts.tokenDaysHint })}
</div>
${field('token', { name: 'permissions', label: texts.permissions, autocomplete: 'off', isOptional: true, isCode: true, hint: texts.permissionsHint })}`,
  texts.submitToken,
)}`,
);

/** Renders the account page, which its script fills. */
export const accountPage = (): ShellPage => ({
  title: texts.title,
  path: '/account',
  styles: ['account.css'],
  script: 'account.js',
  main: html`<div class="plain account" id="main">
<p id="loading" role="status"></p>
<p class="wrong" id="failure" role="alert"></p>
<div id="content" hidden>
<p id="who"></p>
${profile}
${email}
${password}
${sessions}
${tokens}
</div>
</div>`,
});
