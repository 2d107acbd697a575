import { signal } from '@preact/signals';
import { composerTexts as texts } from '../../texts.ts';
import { byId, controls } from './elements.ts';
import { formatDay, formatTime, isTime } from './times.ts';

const { passwordMode, password, slug, viewLimit, expires, expiresAt } = controls;
const { embedOrigins, notify, readersCanEnd, showsRevisions } = controls;

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

/** Shows the fields of the selected options, and in the bar what was selected. */
export const showChosen = (): void => {
  byId('own-password').hidden = passwordMode.value !== 'own';
  byId('random-hint').hidden = passwordMode.value !== 'random';
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

/** The options of a stored share. */
export interface StoredOptions {
  readonly slug: string | null;
  readonly viewLimit: number | null;
  readonly protected: boolean;
  readonly expiresAt: string | null;
  readonly embedOrigins: readonly string[];
  readonly notify: boolean;
  readonly readersCanEnd: boolean;
  readonly showsRevisions: boolean;
}

/** Shows the options of a stored share. */
export const loadOptions = (share: StoredOptions): void => {
  slug.value = share.slug ?? '';
  embedOrigins.value = share.embedOrigins.join(' ');
  notify.value = share.notify ? '1' : '';
  readersCanEnd.value = share.readersCanEnd ? '1' : '';
  showsRevisions.value = share.showsRevisions ? '1' : '';
  viewLimit.value = String(share.viewLimit ?? '');
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

const getViewLimit = () => {
  // An invalid number reads as empty, which must not remove the limit.
  if (viewLimit.validity.badInput) return Number.NaN;
  return viewLimit.value === '' ? null : Number(viewLimit.value);
};

/** Returns the options as fields of the API. */
export const getOptions = (isEdit: boolean) => ({
  slug: slug.value.trim() || null,
  viewLimit: getViewLimit(),
  embedOrigins: embedOrigins.value.split(/[\s,]+/).filter(Boolean),
  notify: notify.value !== '',
  readersCanEnd: readersCanEnd.value !== '',
  showsRevisions: showsRevisions.value !== '',
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
