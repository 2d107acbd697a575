import { signal } from '@preact/signals';
import { composerTexts as texts } from '../../texts.ts';
import { type ChosenAudience, getAudience, showAudience } from './audience/audience.ts';
import { byId, controls, getValue, more, options } from './elements.ts';
import { type ChosenSeal, showSeal } from './sealing/switches.ts';
import { formatDay, isTime } from './times.ts';

const { hasPassword, passwordMode, password, viewLimit, burn, expires, expiresAt, slug } = controls;

/** The options as the bar shows them. */
export interface Chosen extends ChosenAudience, ChosenSeal {
  /** Of a sealed share, never. */
  readonly hasPassword: boolean;
  /** When the share expires; `undefined` if it doesn't. */
  readonly expiry: string | undefined;
  readonly views: string;
}

export const chosen = signal<Chosen>({
  audience: 'link',
  people: [],
  hasPassword: false,
  isSealed: false,
  hasPassphrase: false,
  expiry: undefined,
  views: '',
});

const periods: Readonly<Record<string, string>> = texts.periods;

/** When the stored share expires. */
let storedExpiry = '';

/** Notes when the stored share expires, which can be kept. */
export const noteStoredExpiry = (time: string): void => {
  storedExpiry = time;
};

/** Returns when the stored share expires. */
export const getStoredExpiry = (): string => storedExpiry;

/** How long a share lives at most, in ms; NaN if its author decides. */
const maxAgeMs = Number(expires.dataset['maxAge']) * 1_000;

/** Returns when a share that was created at this time ends at the latest (ms since 1970); `undefined` if its author decides. */
export const getLatestEnd = (createdAt: number): number | undefined =>
  Number.isNaN(maxAgeMs) ? undefined : createdAt + maxAgeMs;

const getExpiryText = (): string | undefined => {
  const { value } = expires;
  if (value === 'never') return expires.dataset['longest'];
  if (value === 'keep') return formatDay(storedExpiry);
  if (value !== 'date') return periods[value];
  return isTime(expiresAt.value) ? formatDay(expiresAt.value) : texts.onDate;
};

const showViews = (): void => {
  burn.checked = viewLimit.value === '1';
  const isSet = burn.checked && getAudience() !== 'private';
  // While it is typed, a 1 may become a 10.
  viewLimit.disabled = isSet && document.activeElement !== viewLimit;
};

const passwordKinds = byId('password-kinds').querySelectorAll('button');

/** What turning the password on chooses: what was chosen before. */
let lastMode = 'random';

const showPassword = (): void => {
  const { value } = passwordMode;
  hasPassword.checked = value !== 'none';
  if (hasPassword.checked) lastMode = value;
  for (const kind of passwordKinds) kind.ariaPressed = String(kind.value === value);
  byId('password-kinds').hidden = !hasPassword.checked;
  byId('random-hint').hidden = value !== 'random';
  byId('own-password').hidden = value !== 'own';
};

const moreLine = byId('more-set');
const moreAbout = moreLine.textContent;

/** Returns the names of what is set below "More". */
const findSetBelow = (): string =>
  [...more.querySelectorAll<HTMLInputElement>('input:enabled')]
    .filter(getValue)
    .map(({ labels }) => labels?.[0]?.textContent)
    .join(' · ');

/** Shows the fields of the selected options, and in the bar what was selected. */
export const showChosen = (): void => {
  const audience = showAudience();
  const seal = showSeal();
  showPassword();
  showViews();
  moreLine.textContent = findSetBelow() || moreAbout;
  byId('expiry-date').hidden = expires.value !== 'date';
  byId('guessable').hidden =
    slug.value === '' || audience.audience !== 'link' || hasPassword.checked || seal.isSealed;
  chosen.value = {
    ...audience,
    ...seal,
    hasPassword: hasPassword.checked && !seal.isSealed,
    expiry: getExpiryText(),
    views: viewLimit.value,
  };
};

hasPassword.addEventListener('input', () => {
  passwordMode.value = hasPassword.checked ? lastMode : 'none';
});
for (const kind of passwordKinds) {
  kind.addEventListener('click', () => {
    passwordMode.value = kind.value;
    passwordMode.dispatchEvent(new Event('input', { bubbles: true }));
    if (kind.value === 'own') password.focus();
  });
}
options.addEventListener('beforetoggle', () => {
  if (findSetBelow()) more.open = true;
});
burn.addEventListener('input', () => {
  viewLimit.value = burn.checked ? '1' : '';
});
