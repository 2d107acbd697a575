import { signal } from '@preact/signals';
import { render } from 'preact';
import { startFocusKeeper } from '../../../functions/web/browser/shell/focus-keeper.ts';

// Lists whose controls go away while they have the focus, for tests. Nothing of it is deployed.

const keys = signal(['One', 'Two', 'Three']);
const page = signal(1);
const isAsking = signal(false);

const leaveOut = (key: string) => {
  keys.value = keys.value.filter((one) => one !== key);
};

const Page = () => (
  <>
    <h1>Lists</h1>
    <section>
      <header>
        <h2>Keys</h2>
      </header>
      <ul>
        {keys.value.map((key) => (
          <li key={key}>
            <a href="#key">{key}</a>
            <button type="button" onClick={() => leaveOut(key)}>{`Revoke ${key}`}</button>
          </li>
        ))}
      </ul>
    </section>
    <section>
      <h2>Pages</h2>
      <nav>
        <button type="button" onClick={() => (page.value = 1)} disabled={page.value === 1}>
          Previous
        </button>
        <button type="button" onClick={() => (page.value = 2)} disabled={page.value === 2}>
          Next
        </button>
      </nav>
    </section>
    <section>
      <h2>Question</h2>
      {isAsking.value ? (
        <p>
          <button type="button" onClick={() => (isAsking.value = false)}>
            Done
          </button>
        </p>
      ) : (
        <button type="button" onClick={() => (isAsking.value = true)}>
          Ask
        </button>
      )}
    </section>
    <p>Nothing to focus</p>
  </>
);

startFocusKeeper();
render(<Page />, document.querySelector('main') as HTMLElement);
