import { formatList } from '../../../../../browser/data/format.ts';
import { signedIn } from '../../../../../browser/shell/session.ts';
import { refusalTexts as texts } from '../../../refusal-texts.ts';
import { focusAudience, peopleError } from '../audience/audience.ts';
import { byId, contentError, controls, fields, form, more, options } from '../elements.ts';
import { refuseContent } from '../failures.ts';
import { chosen } from '../options.ts';
import { editId } from '../state.ts';

const { audience, readers, passwordMode, password, expires, expiresAt, passphrase } = controls;

// A search for people says which it is.
const invalid = '[aria-invalid=true]';

/** A field of the API and what is wrong with it. */
interface Detail {
  readonly field: string;
  readonly message: string;
}

/** The controls of fields of the API with other names. */
const controlNames: ReadonlyMap<string, string> = new Map([
  ['expiresIn', 'expires'],
  ['language', 'content'],
]);

const toSentence = (message: string): string =>
  `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;

/** The API names people by their ids. */
const nameReaders = (message: string): string => {
  const [reason, ids] = message.split('users: ');
  const { people } = chosen.value;
  const names = ids?.split(', ').map((id) => people.find((one) => `${one.id}` === id)?.name ?? id);
  return names ? `${reason}users: ${formatList(names)}` : message;
};

const showDetail = (controlName: string, message: string): void => {
  const control = fields.get(controlName);
  if (!control) return;
  if (control === readers) peopleError.value = toSentence(nameReaders(message));
  else {
    const place = byId(`share-${controlName}-wrong`);
    if (place.textContent === '') place.textContent = toSentence(message);
  }
  control.ariaInvalid = 'true';
  if (more.contains(control)) more.open = true;
};

/** Shows messages beside their fields, and focuses the first. Returns whether there is one. */
export const showDetails = (details: readonly Detail[]): boolean => {
  for (const { field, message } of details) {
    const name = field.split('.')[0] ?? field;
    const controlName = controlNames.get(name) ?? name;
    if (controlName === 'content') refuseContent(toSentence(message));
    else showDetail(controlName, message);
  }
  if (options.querySelector(invalid)) options.showPopover({ source: byId('chip-who') });
  const first = form.querySelector<HTMLElement>(invalid);
  if (first === audience || first === readers) focusAudience();
  else first?.focus();
  return first !== null || contentError.textContent !== '';
};

/** Lists the chosen options without a value, which would silently be none. */
export const findMissing = (): readonly Detail[] => {
  const { audience: who, people } = chosen.value;
  const { isSealed, hasPassphrase } = chosen.value;
  const isOwn = passwordMode.value === 'own' && who !== 'private' && !isSealed;
  const isJoined = editId === undefined && hasPassphrase;
  const empty = [
    isOwn && password,
    isJoined && passphrase,
    expires.value === 'date' && expiresAt,
  ].flatMap((control) =>
    control && control.value.trim() === '' ? [{ field: control.name, message: texts.missing }] : [],
  );
  const isNobody = signedIn && who === 'people' && people.length === 0;
  return isNobody ? [{ field: readers.name, message: texts.nobody }, ...empty] : empty;
};
