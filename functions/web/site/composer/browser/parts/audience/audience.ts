import { signal } from '@preact/signals';
import type { Audience } from '../../../../../../../shared/permissions/audiences.ts';
import type { FoundPerson } from '../../../../../browser/people/directory.ts';
import { signedIn } from '../../../../../browser/shell/session.ts';
import { audienceIcons } from '../../../audience-icons.ts';
import { controls, form } from '../elements.ts';

const { audience, readers } = controls;

/** Who can open the share. */
export interface ChosenAudience {
  readonly audience: Audience;
  /** They are kept while another audience is chosen. */
  readonly people: readonly FoundPerson[];
}

/** Those of the audiences, the widest first. */
const radios = [...form.querySelectorAll<HTMLInputElement>('[name=who]')];

/** That of a new share at first; of a visitor, none. */
const preset = audience.value;

const isAudience = (value: string): value is Audience => value in audienceIcons;

/** Returns the chosen audience. That of a visitor is the service's, once they have signed in. */
export const getAudience = (): Audience => (isAudience(audience.value) ? audience.value : 'link');

/** Reads people from the value of their field. */
export const parsePeople = (value: string): readonly FoundPerson[] => JSON.parse(value || '[]');

/** What is wrong with the chosen people. */
export const peopleError = signal<string | undefined>(undefined);

/** Whether the search for people gets the focus once it is there. */
export const isSearchWanted = signal(false);

const set = (control: HTMLInputElement, value: string): void => {
  control.value = value;
  control.dispatchEvent(new Event('input', { bubbles: true }));
};

/** Returns people as the value of their field. */
export const formatPeople = (people: readonly FoundPerson[]): string =>
  people.length > 0 ? JSON.stringify(people) : '';

/** Chooses people. */
export const setPeople = (people: readonly FoundPerson[]): void => {
  peopleError.value = undefined;
  set(readers, formatPeople(people));
};

/** Moves the focus to what says who is chosen. */
export const focusAudience = (): void => {
  if (signedIn && getAudience() === 'people') isSearchWanted.value = true;
  else radios.find((one) => one.checked)?.focus();
};

/** Narrows what the service doesn't allow any more, such as that of a draft. What a visitor has chosen is kept. */
const narrow = (): void => {
  audience.value ||= preset;
  const { value } = audience;
  const at = radios.findIndex((one) => one.value === value);
  if (!signedIn || !radios[at]?.disabled) return;
  const narrower = radios.slice(at).find((one) => !one.disabled && one.value !== 'people');
  audience.value = narrower?.value ?? 'private';
};

/** Shows which audience is chosen, and returns it. */
export const showAudience = (): ChosenAudience => {
  narrow();
  const value = getAudience();
  for (const one of radios) one.checked = one.value === value;
  form.dataset['audience'] = value;
  return { audience: value, people: parsePeople(readers.value) };
};

for (const one of radios) {
  one.addEventListener('input', () => set(audience, one.value));
  // Arrow keys, which also click, go on to the next one.
  one.labels?.[0]?.addEventListener('click', ({ detail }) => {
    if (detail > 0 && one.value === 'people') isSearchWanted.value = true;
  });
}
