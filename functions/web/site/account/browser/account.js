import { getMessage, requestOrSignIn } from '../../../browser/api.js';
import { formatDay, formatDevice, formatTime } from '../../../browser/format.js';
import { onSubmit } from '../../../browser/forms.js';
import { byId, copy, createElement, runAction, setText } from '../../../browser/page.js';
import { accountTexts as texts } from '../texts.ts';

/** @typedef {{ name: string, badge?: string | undefined, about: string, action?: { label: string, run: () => Promise<void> } | undefined }} Line */

/** @param {Line} line */
const createListItem = ({ name, badge, about, action }) => {
  const item = document.createElement('li');
  const text = document.createElement('div');
  const title = createElement('p', 'name', name);
  if (badge) title.append(createElement('span', 'badge', badge));
  text.append(title, createElement('p', 'about', about));
  item.append(text);
  if (action) {
    const button = /** @type {HTMLButtonElement} */ (
      createElement('button', 'quiet', action.label)
    );
    button.type = 'button';
    button.setAttribute('aria-label', `${action.label}: ${name}, ${about}`);
    button.addEventListener('click', action.run);
    item.append(button);
  }
  return item;
};

/** @param {any} user */
const showUser = (user) => {
  const { elements: profile } = byId('profile');
  profile.name.value = user.name;
  profile.username.value = user.username;
  profile.phone.value = user.phone ?? '';
  const zone = user.timezone ?? '';
  const options = [...profile.timezone.options].map(({ value }) => value);
  if (!options.includes(zone)) profile.timezone.add(new Option(zone, zone));
  profile.timezone.value = zone;
  profile.notifyNewSignIns.checked = user.notifyNewSignIns;
  byId('email').elements.email.value = user.email;
  byId('password').elements.username.value = user.email;
  setText('who', `${user.name}, ${user.email}`);
};

/** @param {string} id */
const endSession = async (id) => {
  await requestOrSignIn('DELETE', `/api/auth/sessions/${id}`).catch((failure) => {
    // It has already ended.
    if (failure.status !== 404) throw failure;
  });
};

/** @type {string[]} */
let otherSessionIds = [];

const loadSessions = async () => {
  const { data } = await requestOrSignIn('GET', '/api/auth/sessions');
  otherSessionIds = data
    .filter((/** @type {any} */ one) => !one.current)
    .map((/** @type {any} */ one) => one.id);
  byId('end-others').hidden = otherSessionIds.length === 0;
  byId('sessions').replaceChildren(
    ...data.map((/** @type {any} */ { id, device, address, lastUsedAt, current }) =>
      createListItem({
        name: formatDevice(device),
        badge: current ? texts.thisSession : undefined,
        about: texts.sessionAbout(address, formatTime(lastUsedAt)),
        action: current ? undefined : { label: texts.end, run: () => endSessions([id]) },
      }),
    ),
  );
};

/** @param {string[]} ids */
const endSessions = (ids) =>
  runAction('sessions', async () => {
    for (const id of ids) await endSession(id);
    await loadSessions();
    // The button that had the focus is gone.
    byId('sessions-title').focus();
    return texts.ended(ids.length);
  });

/** @param {any} token */
const describeToken = ({ permissions, expiresAt, lastUsedAt }) =>
  [
    permissions ? permissions.join(' ') : texts.allPermissions,
    expiresAt ? texts.until(formatDay(expiresAt)) : texts.untilRevoked,
    lastUsedAt ? texts.lastUsed(formatTime(lastUsedAt)) : texts.neverUsed,
  ].join(' · ');

const loadTokens = async () => {
  const { data } = await requestOrSignIn('GET', '/api/auth/tokens');
  byId('no-tokens').hidden = data.length > 0;
  byId('tokens').replaceChildren(
    ...data.map((/** @type {any} */ token) =>
      createListItem({
        name: token.name,
        about: describeToken(token),
        action: { label: texts.revoke, run: () => revoke(token) },
      }),
    ),
  );
};

/** @param {{ id: number, name: string }} token */
const revoke = async ({ id, name }) => {
  if (!confirm(texts.confirmRevoke(name))) return;
  await runAction('tokens', async () => {
    await requestOrSignIn('DELETE', `/api/auth/tokens/${id}`).catch((failure) => {
      if (failure.status !== 404) throw failure;
    });
    byId('new-token').hidden = true;
    byId('new-token-value').value = '';
    await loadTokens();
    byId('tokens-title').focus();
    return texts.revoked;
  });
};

onSubmit(byId('profile'), async ({ name, username, phone, timezone, notifyNewSignIns }) => {
  const { data } = await requestOrSignIn('PUT', '/api/users/me', {
    name,
    username,
    phone: phone.trim() || null,
    timezone: timezone || null,
    notifyNewSignIns: notifyNewSignIns === 'on',
  });
  showUser(data);
  return texts.saved;
});

onSubmit(byId('email'), async ({ email, currentPassword }) => {
  const { data } = await requestOrSignIn('PUT', '/api/users/me', { email, currentPassword });
  byId('email').reset();
  showUser(data);
  return texts.saved;
});

onSubmit(byId('password'), async ({ currentPassword, password, confirmPassword, scope }) => {
  await requestOrSignIn('PUT', '/api/auth/password', {
    currentPassword,
    password,
    confirmPassword,
    ...(scope === 'on' && { scope: 'all' }),
  });
  const { elements } = byId('password');
  for (const name of ['currentPassword', 'password', 'confirmPassword']) elements[name].value = '';
  elements.scope.checked = false;
  await Promise.all([loadSessions(), loadTokens()]);
  return scope === 'on' ? texts.passwordChangedTokens : texts.passwordChanged;
});

onSubmit(byId('token'), async ({ name, expiresInDays, permissions }) => {
  const requested = permissions.split(/[\s,]+/).filter(Boolean);
  const { data } = await requestOrSignIn('POST', '/api/auth/tokens', {
    name,
    ...(expiresInDays !== '' && { expiresInDays: Number(expiresInDays) }),
    ...(requested.length > 0 && { permissions: requested }),
  });
  byId('token').reset();
  setText('tokens-done', '');
  setText('copied', '');
  byId('new-token').hidden = false;
  byId('new-token-value').value = data.token;
  byId('new-token-value').focus();
  byId('new-token-value').select();
  await loadTokens();
  return '';
});

byId('copy').addEventListener('click', () => copy(byId('new-token-value'), 'copied'));

byId('end-others').addEventListener('click', () => {
  if (confirm(texts.confirmEndOthers)) endSessions(otherSessionIds);
});

const start = async () => {
  setText('loading', texts.loading);
  try {
    const { data: user } = await requestOrSignIn('GET', '/api/users/me');
    const zones = byId('profile').elements.timezone;
    for (const zone of new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])) {
      zones.add(new Option(zone, zone));
    }
    showUser(user);
    await Promise.all([loadSessions(), loadTokens()]);
    byId('content').hidden = false;
  } catch (failure) {
    setText('failure', getMessage(failure));
  } finally {
    setText('loading', '');
  }
};

start();
