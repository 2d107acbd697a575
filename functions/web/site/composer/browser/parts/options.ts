import { signal } from '@preact/signals';
import { composerTexts as texts } from '../../texts.ts';
import { byId, controls } from './elements.ts';
import type { Detail } from './failures.ts';
import { fillOptions, readOptions, type StoredShare } from './option-values.ts';
import { formatDay, formatTime, isTime } from './times.ts';

const { passwordMode, password, viewLimit, burn, expires, expiresAt } = controls;

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

const showViews = (): void => {
  burn.checked = viewLimit.value === '1';
  // While it is typed, a 1 may become a 10.
  viewLimit.disabled = burn.checked && document.activeElement !== viewLimit;
};

/** Shows the fields of the selected options, and in the bar what was selected. */
export const showChosen = (): void => {
  byId('own-password').hidden = passwordMode.value !== 'own';
  byId('random-hint').hidden = passwordMode.value !== 'random';
  showViews();
  byId('expiry-date').hidden = expires.value !== 'date';
  chosen.value = {
    hasPassword: passwordMode.value !== 'none',
    expiry: getExpiryText(),
    views: viewLimit.value,
  };
};

const offerToKeep = (select: HTMLSelectElement, text: string): void => {
  if (select.options[0]?.value !== 'keep') select.add(new Option(text, 'keep'), 0);
  select.value = 'keep';
};

burn.addEventListener('input', () => {
  viewLimit.value = burn.checked ? '1' : '';
});

/** Shows the options of a stored share. */
export const loadOptions = (share: StoredShare): void => {
  fillOptions(share);
  if (share.protected) offerToKeep(passwordMode, texts.keepPassword);
  if (share.expiresAt !== null) {
    storedExpiry = share.expiresAt;
    offerToKeep(expires, texts.keepExpiry(formatTime(share.expiresAt)));
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

/** Lists the chosen options without a value, which would silently be none. */
export const findMissing = (): readonly Detail[] =>
  [passwordMode.value === 'own' && password, expires.value === 'date' && expiresAt].flatMap(
    (control) =>
      control && control.value === '' ? [{ field: control.name, message: texts.missing }] : [],
  );

/** Returns when a share with the selected options expires, in ms since 1970; `undefined` if it doesn't. */
export const findEnd = (): number | undefined => {
  const { value } = expires;
  if (value === 'never') return undefined;
  if (value === 'keep') return Date.parse(storedExpiry);
  return value === 'date' ? Date.parse(expiresAt.value) : Date.now() + Number(value) * 1_000;
};
