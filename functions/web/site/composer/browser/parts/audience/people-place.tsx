import { signal } from '@preact/signals';
import { render } from 'preact';
import { lazily } from '../../../../../browser/components/lazily.tsx';
import { signedIn } from '../../../../../browser/shell/session.ts';
import { byId, form, options } from '../elements.ts';
import { chosen } from '../options.ts';

const place = byId('people');

const Search = lazily(async () => (await import('./people-search.tsx')).PeopleSearch);

/** Whether the options were shown: a page that nobody chooses people on loads no search. */
const wasOpened = signal(false);

const Place = () =>
  signedIn && wasOpened.value && chosen.value.audience === 'people' ? <Search /> : null;

/** Shows the search for people below its choice. */
export const startPeople = (): void => {
  options.addEventListener('beforetoggle', () => {
    wasOpened.value = true;
  });
  // The search refuses to send a name that was typed and not picked; here it is shown.
  const capture = { capture: true };
  form.addEventListener(
    'submit',
    () => {
      if (place.querySelector('input')?.value.trim()) options.showPopover();
    },
    capture,
  );
  render(<Place />, place);
};
