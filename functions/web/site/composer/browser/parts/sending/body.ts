import { getContent, language } from '../content.ts';
import { controls } from '../elements.ts';
import { getStoredExpiry } from '../options.ts';
import { isTime } from '../times.ts';
import { readOptions } from './option-values.ts';

const { passwordMode, password, expires, expiresAt } = controls;

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

/** Returns the share as the API takes it: a new one, or the change of an edited one. */
export const toBody = (isEdit: boolean) => ({
  content: getContent(),
  language: language.value,
  ...readOptions(),
  ...getPassword(isEdit),
  ...getExpiry(isEdit),
});

/** Returns when a share with the selected options expires, in ms since 1970; `undefined` if it doesn't. */
export const findEnd = (): number | undefined => {
  const { value } = expires;
  if (value === 'never') return undefined;
  if (value === 'keep') return Date.parse(getStoredExpiry());
  return value === 'date' ? Date.parse(expiresAt.value) : Date.now() + Number(value) * 1_000;
};
