import type { FoundPerson } from '../../../../../browser/people/directory.ts';
import { parsePeople } from '../audience/audience.ts';
import { getContent, language } from '../content.ts';
import { controls } from '../elements.ts';
import { chosen, getLatestEnd, getStoredExpiry } from '../options.ts';
import { isSealed } from '../sealing/sealed.ts';
import { getUnchanged } from '../state.ts';
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
  if (isSealed.value) return {};
  // What is hidden has no effect.
  if (value !== 'none' && chosen.value.audience === 'private') return {};
  if (value === 'own') return { password: password.value };
  if (value === 'random') return { useRandomPassword: true };
  return value === 'none' && isEdit ? { password: null } : {};
};

const { audience, readers } = controls;

/** Returns the chosen people whom the share wasn’t open to before. */
export const findNewPeople = (): readonly FoundPerson[] => {
  const before = new Set(parsePeople(getUnchanged('readers')).map(({ id }) => id));
  return chosen.value.people.filter(({ id }) => !before.has(id));
};

/** An edited share that is open to the same people says nothing of them. */
const getReaders = (isEdit: boolean) => {
  // That of a visitor, who has signed in elsewhere, is the service’s.
  if (audience.value === '') return {};
  const isPeople = audience.value === 'people';
  const isSame =
    audience.value === getUnchanged('audience') &&
    (!isPeople || readers.value === getUnchanged('readers'));
  if (isEdit && isSame) return {};
  const ids = chosen.value.people.map(({ id }) => id);
  return { audience: audience.value, ...(isPeople && { readers: ids }) };
};

/** Returns the share as the API takes it: a new one, or the change of an edited one. */
export const toBody = (isEdit: boolean) => ({
  content: getContent(),
  language: language.value,
  ...toOptions(isEdit),
});

/** Returns all of a share as the API takes it but its content. */
export const toOptions = (isEdit: boolean) => ({
  ...readOptions(),
  ...getReaders(isEdit),
  ...getPassword(isEdit),
  ...getExpiry(isEdit),
});

/** Returns when a share with the selected options expires, in ms since 1970; `undefined` if it doesn't. */
export const findEnd = (): number | undefined => {
  const { value } = expires;
  if (value === 'never') return getLatestEnd(Date.now());
  if (value === 'keep') return Date.parse(getStoredExpiry());
  return value === 'date' ? Date.parse(expiresAt.value) : Date.now() + Number(value) * 1_000;
};
