import { signal } from '@preact/signals';
import { render } from 'preact';
import type { FoundPerson, PeopleSource } from '../../../functions/web/browser/people/directory.ts';
import { PersonSearch } from '../../../functions/web/browser/people/person-search.tsx';

// The search for people in a form, for tests. Nothing of it is deployed.

const everyone: readonly FoundPerson[] = [
  ...['Jonas Okafor', 'José Ruiz', 'Lena Jost', 'Tomás Ruiz', 'Sam Ito'],
  ...Array.from({ length: 9 }, (_, at) => `Max ${at + 1}`),
].map((name, at) => ({
  id: at + 1,
  name,
  email: `${name.toLowerCase().replace(' ', '.')}@example.com`,
}));

/** How many people can be chosen. */
const most = 3;

const state = signal({ isExact: location.hash === '#exact', sent: 0 });
const chosen = signal<readonly FoundPerson[]>([]);

/** The requests in their order, with what ends each. A test ends those that it holds. */
const requests: { text: string; succeed: () => void; fail: () => void }[] = [];
const hold = location.hash === '#hold';

const findAll = (text: string): readonly FoundPerson[] =>
  everyone.filter(({ name, email = '' }) =>
    `${name} ${email}`
      .normalize('NFD')
      .toLowerCase()
      .split(/ /)
      .some((word) => word.startsWith(text.toLowerCase())),
  );

const source: PeopleSource = {
  placeholder: 'Name or email',
  hint: state.value.isExact ? 'Names can’t be searched here.' : '',
  none: (text) => `No one here is called “${text}”.`,
  isEnough: (text) => !state.value.isExact || text.includes('@example.com'),
  find: (text) =>
    new Promise((resolve, reject) => {
      const succeed = () => resolve(findAll(text).slice(0, 8));
      requests.push({ text, succeed, fail: () => reject(Error('Can’t reach the server.')) });
      if (!hold) succeed();
    }),
};

Object.assign(globalThis, { requests });

const Page = () => (
  <form
    onSubmit={(event) => {
      event.preventDefault();
      state.value = { ...state.value, sent: state.value.sent + 1 };
    }}
  >
    <h1>Search for people</h1>
    <p
      id="log"
      role="status"
    >{`${chosen.value.map(({ name }) => name).join(', ')}; sent ${state.value.sent}`}</p>
    <PersonSearch
      source={source}
      label="People"
      hint="They’re notified."
      chosen={chosen.value}
      room={most - chosen.value.length}
      full="3 people at most."
      whyNot={({ name }) => (name === 'Sam Ito' ? 'Owner' : undefined)}
      onAdd={(people) => {
        chosen.value = [...chosen.value, ...people];
      }}
      onRemove={(person) => {
        chosen.value = chosen.value.filter(({ id }) => id !== person.id);
      }}
    />
    <p class="mt">
      <label for="after">After</label>
      <input class="in" id="after" />
    </p>
    <button type="submit" class="btn primary">
      Send
    </button>
  </form>
);

render(<Page />, document.querySelector('main') as HTMLElement);
