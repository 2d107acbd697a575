import { ApiError } from '../../../../../browser/client/api-error.ts';
import { clientTexts } from '../../../../../browser/client/texts.ts';
import { watchCode } from '../../../../../browser/factors/watch-code.ts';
import { signInTexts as texts } from '../../../texts.ts';
import { coverCard } from './cover.ts';

/** What the view of a code sends. */
interface Sending {
  /** Signs in by the code. @throws ApiError */
  readonly send: (code: string) => Promise<void>;
  /** @throws ApiError */
  readonly sendAgain: () => Promise<unknown>;
}

/** The service sends another one after this time. */
const pauseSeconds = 60;

const formatWait = (seconds: number): string =>
  texts.wait(`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`);

/** Turns a button off until another code can be sent, and counts down beside it. */
const startWait = (button: HTMLElement, place: HTMLElement): void => {
  const end = performance.now() + pauseSeconds * 1_000;
  button.setAttribute('aria-disabled', 'true');
  const draw = (): void => {
    const seconds = Math.max(0, Math.ceil((end - performance.now()) / 1_000));
    place.textContent = seconds > 0 ? formatWait(seconds) : '';
    if (seconds > 0) return;
    clearInterval(timer);
    button.setAttribute('aria-disabled', 'false');
  };
  const timer = setInterval(draw, 1_000);
  draw();
};

const toMessage = (error: unknown): string =>
  error instanceof ApiError ? error.message : clientTexts.failed;

/** Shows the view of the code that was sent to an address, until it signs in or the user goes back to the other ways. */
export const showEmailCode = (email: string, { send, sendAgain }: Sending): void => {
  const title = document.title;
  const cover = coverCard('#email-code');
  if (!cover) return;
  const { place, card } = cover;
  const get = <Part extends HTMLElement>(selector: string): Part =>
    place.querySelector(selector) as Part;
  const form = get<HTMLFormElement>('form');
  const field = get<HTMLInputElement>('[name="code"]');
  const [submit, again] = [get('[type="submit"]'), get('[data-again]')];
  const [wrong, hint, done] = [get('.err'), get('.hint'), get('[data-done]')];
  get('[data-email]').textContent = email;
  document.title = title.replace(/^[^·]*/, `${get('h1').textContent} `);

  const say = (message: string): void => {
    wrong.textContent = message;
    hint.hidden = message !== '';
    if (message === '') field.removeAttribute('aria-invalid');
    else field.setAttribute('aria-invalid', 'true');
  };
  const refuse = (message: string): void => {
    say(message);
    field.focus();
    field.select();
  };
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (submit.getAttribute('aria-busy') === 'true') return;
    if (!/^\d{6}$/.test(field.value)) return refuse(texts.codeMissing);
    say('');
    submit.setAttribute('aria-busy', 'true');
    try {
      await send(field.value);
    } catch (error) {
      submit.removeAttribute('aria-busy');
      refuse(toMessage(error));
    }
  });
  watchCode(field, () => form.requestSubmit());
  again.addEventListener('click', async () => {
    if (again.getAttribute('aria-disabled') === 'true') return;
    startWait(again, get('[data-wait]'));
    done.hidden = true;
    try {
      await sendAgain();
      say('');
      field.value = '';
      field.focus();
      done.textContent = texts.codeSent;
    } catch (error) {
      done.textContent = toMessage(error);
    }
    done.hidden = false;
  });
  get('[data-back]').addEventListener('click', () => {
    cover.uncover();
    document.title = title;
    card.querySelector<HTMLElement>('.in, .btn')?.focus();
  });
  startWait(again, get('[data-wait]'));
  field.focus();
};
