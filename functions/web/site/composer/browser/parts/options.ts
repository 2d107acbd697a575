import { signal } from '@preact/signals';
import { composerTexts as texts } from '../../texts.ts';
import { byId, controls, form, getValue, moreOptions, options } from './elements.ts';
import { fillOptions, readOptions, type StoredShare } from './option-values.ts';
import { formatDay, formatTime, isTime } from './times.ts';

const { passwordMode, hasPassword, password, viewLimit, burn, expires, expiresAt } = controls;

/** The options as the bar shows them. */
export interface Chosen {
  readonly hasPassword: boolean;
  /** When the share expires; `undefined` if it doesn't. */
  readonly expiry: string | undefined;
  readonly views: string;
}

export const chosen = signal<Chosen>({ hasPassword: false, expiry: undefined, views: '' });

const periods: Readonly<Record<string, string>> = texts.periods;

/** When the stored share expires. */
let storedExpiry = '';

const getExpiryText = (): string | undefined => {
  const { value } = expires;
  if (value === 'never') return undefined;
  if (value === 'keep') return formatDay(storedExpiry);
  if (value !== 'date') return periods[value];
  return isTime(expiresAt.value) ? formatDay(expiresAt.value) : texts.onDate;
};

const passwordButtons = [...options.querySelectorAll<HTMLButtonElement>('[data-password]')];

/** Offers to keep the password that an edited share has. */
const keepButton = byId('keep-password');

const showPassword = (): void => {
  const mode = passwordMode.value;
  hasPassword.checked = mode !== 'none';
  byId('passwords').hidden = mode === 'none';
  byId('own-password').hidden = mode !== 'own';
  byId('random-hint').hidden = mode !== 'random';
  for (const button of passwordButtons) {
    button.ariaPressed = String(button.dataset['password'] === mode);
  }
};

const showViews = (): void => {
  burn.checked = viewLimit.value === '1';
  // While it is typed, a 1 may become a 10.
  viewLimit.disabled = burn.checked && document.activeElement !== viewLimit;
};

/** Returns the names of what is set among the options that are seldom needed. */
const listSet = (): readonly string[] =>
  [...moreOptions.querySelectorAll<HTMLInputElement>('input')]
    .filter((control) => getValue(control).trim() !== '')
    .map((control) => control.labels?.[0]?.textContent ?? '');

/** Shows the fields of the selected options, and in the bar what was selected. */
export const showChosen = (): void => {
  showPassword();
  showViews();
  byId('expiry-date').hidden = expires.value !== 'date';
  byId('more-set').textContent = listSet().join(', ') || texts.moreAbout;
  chosen.value = {
    hasPassword: passwordMode.value !== 'none',
    expiry: getExpiryText(),
    views: viewLimit.value,
  };
};

const note = (): void => {
  form.dispatchEvent(new Event('input'));
};

/** Starts what more than one control belongs to. */
export const startOptions = (): void => {
  hasPassword.addEventListener('input', () => {
    const chosen = keepButton.hidden ? 'random' : 'keep';
    passwordMode.value = hasPassword.checked ? chosen : 'none';
  });
  for (const button of passwordButtons) {
    button.addEventListener('click', () => {
      passwordMode.value = button.dataset['password'] ?? '';
      note();
      if (passwordMode.value === 'own') password.focus();
    });
  }
  burn.addEventListener('input', () => {
    viewLimit.value = burn.checked ? '1' : '';
  });
  options.addEventListener('toggle', ({ newState }) => {
    if (newState === 'open' && listSet().length > 0) moreOptions.open = true;
  });
};

/** Shows the options of a stored share. */
export const loadOptions = (share: StoredShare): void => {
  fillOptions(share);
  if (share.protected) {
    passwordMode.value = 'keep';
    keepButton.hidden = false;
  }
  if (share.expiresAt !== null) {
    storedExpiry = share.expiresAt;
    if (expires.options[0]?.value !== 'keep') {
      expires.add(new Option(texts.keepExpiry(formatTime(share.expiresAt)), 'keep'), 0);
    }
    expires.value = 'keep';
  }
  showChosen();
};

const getExpiry = (isEdit: boolean) => {
  const { value } = expires;
  if (value === 'keep') return {};
  if (value === 'never') return isEdit ? { expiresAt: null } : {};
  if (value !== 'date') return { expiresIn: Number(value) };
  const time = expiresAt.value;
  return { expiresAt: isTime(time) ? new Date(time).toISOString() : time };
};

const getPassword = (isEdit: boolean) => {
  const { value } = passwordMode;
  if (value === 'own') return { password: password.value };
  if (value === 'random') return { useRandomPassword: true };
  return value === 'none' && isEdit ? { password: null } : {};
};

/** Returns the options as fields of the API. */
export const getOptions = (isEdit: boolean) => ({
  ...readOptions(),
  ...getPassword(isEdit),
  ...getExpiry(isEdit),
});

/** Returns when a share with the selected options expires, in ms since 1970; `undefined` if it doesn't. */
export const findEnd = (): number | undefined => {
  const { value } = expires;
  if (value === 'never') return undefined;
  if (value === 'keep') return Date.parse(storedExpiry);
  return value === 'date' ? Date.parse(expiresAt.value) : Date.now() + Number(value) * 1_000;
};
