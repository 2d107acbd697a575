import { ApiError } from '../client/api-error.ts';
import { clientTexts } from '../client/texts.ts';
import { post } from '../data/post.ts';
import { PasskeyError } from '../passkeys/passkey-error.ts';
import { completeByPasskey } from '../passkeys/sign-in.ts';
import { canUsePasskeys } from '../passkeys/support.ts';
import { startPause } from './pause.ts';
import { secondStepTexts as texts } from './second-step-texts.ts';
import { watchCode } from './watch-code.ts';

/** A way to confirm a sign-in. The API and the cards of the page name it so. */
export type FactorMethod = 'totp' | 'passkey' | 'recovery';

/** What a login answers that isn't complete yet. */
export interface SecondStep {
  readonly mfaToken: string;
  readonly methods: readonly FactorMethod[];
}

/** What follows. */
export interface SecondStepEnds {
  /** Called once the user is signed in. */
  readonly onDone: () => void;
  /** Called when the password is needed again. */
  readonly onLate: () => void;
}

const digitsOf = (text: string): string => text.replace(/\D/g, '');

/** Returns what is wrong with a code before it is sent; empty if nothing is. */
const check = (method: string, code: string): string => {
  if (method === 'recovery') return code === '' ? texts.enterRecovery : '';
  return digitsOf(code).length === 6 ? '' : texts.enterCode;
};

const isAboutCode = (error: unknown): boolean =>
  error instanceof ApiError && error.details.some(({ field }) => field === 'code');

/** Whether people can be shown the message of an error. */
const isShown = (error: unknown): error is Error =>
  error instanceof ApiError || error instanceof PasskeyError;

/** Returns the first of the ways that people see first, as the pages of forms do. */
const getFirst = (methods: readonly FactorMethod[]): FactorMethod =>
  (['totp', 'passkey'] as const).find((method) => methods.includes(method)) ?? 'recovery';

/** Handles the cards of the step after the password, which are in `root`: shows one, and sends what it asks for. */
export const handleSecondStep = (
  root: HTMLElement,
  { mfaToken, methods }: SecondStep,
  { onDone, onLate }: SecondStepEnds,
): void => {
  const cards = [...root.querySelectorAll<HTMLElement>('[data-view]')];
  let isBusy = false;

  const showError = (place: Element | null | undefined, message: string): void => {
    if (place) place.textContent = message;
  };
  const show = (view: FactorMethod): void => {
    for (const card of cards) card.hidden = card.dataset['view'] !== view;
    const card = cards.find(({ hidden }) => !hidden);
    document.title = document.title.replace(/^[^·]*/, `${card?.querySelector('h1')?.textContent} `);
    const control =
      card?.querySelector<HTMLElement>('[name="code"]') ??
      card?.querySelector<HTMLElement>('[data-passkey]:not([hidden])');
    (control ?? card?.querySelector<HTMLElement>('.ways button:not([hidden])'))?.focus();
  };
  const isRemembered = (card: HTMLElement): boolean =>
    card.querySelector<HTMLInputElement>('[name="remember"]')?.checked === true;

  /** Sends what proves it, and returns the error if there is one that its card shows. */
  const send = async (run: () => Promise<unknown>, button: Element): Promise<unknown> => {
    isBusy = true;
    button.setAttribute('aria-busy', 'true');
    try {
      await run();
      // The page is left, and stays busy until then.
      onDone();
      return undefined;
    } catch (error) {
      isBusy = false;
      button.removeAttribute('aria-busy');
      if (!(error instanceof ApiError) || error.status !== 401) return error;
      onLate();
      return undefined;
    }
  };

  const handleCode = (card: HTMLElement, method: FactorMethod): void => {
    const form = card.querySelector('form');
    const field = card.querySelector<HTMLInputElement>('[name="code"]');
    const button = form?.querySelector<HTMLButtonElement>('.primary');
    if (!form || !field || !button) return;
    const place = card.querySelector('.field .err');
    const refuse = (message: string): void => {
      showError(place, message);
      field.setAttribute('aria-invalid', 'true');
      field.focus();
      field.select();
    };
    let isPaused = false;
    const pause = (ms: number): void => {
      isPaused = true;
      startPause(button, ms, () => {
        isPaused = false;
        showError(place, '');
        field.removeAttribute('aria-invalid');
      });
      refuse(texts.paused(Math.max(1, Math.ceil(ms / 60_000))));
    };
    form.addEventListener('submit', async (event) => {
      const { submitter } = event;
      // A button to another view.
      if (submitter?.hasAttribute('formnovalidate')) return;
      event.preventDefault();
      if (isBusy || isPaused) return;
      const code = field.value.trim();
      const missing = check(method, code);
      if (missing !== '') return refuse(missing);
      showError(place, '');
      field.removeAttribute('aria-invalid');
      const remember = isRemembered(card);
      const error = await send(() => post('/api/auth/mfa', { mfaToken, code, remember }), button);
      if (error === undefined) return;
      if (!(error instanceof ApiError)) return refuse(clientTexts.failed);
      if (error.status === 429) return pause(error.retryAfterMs ?? 60_000);
      refuse(isAboutCode(error) ? texts.incorrect : error.message);
    });
    if (method === 'totp') watchCode(field, () => form.requestSubmit());
  };

  const handlePasskey = (card: HTMLElement): void => {
    const button = card.querySelector<HTMLElement>('[data-passkey]');
    if (!button) return;
    button.hidden = !methods.includes('passkey') || !canUsePasskeys();
    const place = card.querySelector('[data-failure]');
    button.closest('form')?.addEventListener('submit', (event) => {
      if (!event.submitter?.hasAttribute('formnovalidate')) event.preventDefault();
    });
    button.addEventListener('click', async () => {
      if (isBusy) return;
      showError(place, '');
      const remember = isRemembered(card);
      const error = await send(() => completeByPasskey(mfaToken, remember), button);
      if (error === undefined) return;
      showError(place, isShown(error) ? error.message : clientTexts.failed);
      button.focus();
    });
  };

  for (const card of cards) {
    const method = card.dataset['view'] as FactorMethod;
    handleCode(card, method);
    handlePasskey(card);
    for (const button of card.querySelectorAll<HTMLButtonElement>('[formnovalidate]')) {
      // The way back from a recovery code leads to what this person has.
      const isBack = method === 'recovery';
      const view = isBack ? getFirst(methods) : 'recovery';
      button.hidden = isBack ? view === 'recovery' : !methods.includes('recovery');
      button.addEventListener('click', (event) => {
        event.preventDefault();
        if (!isBusy) show(view);
      });
    }
    const ways = card.querySelector<HTMLElement>('.ways');
    const isEmpty = ways !== null && ways.querySelector('button:not([hidden])') === null;
    if (ways && isEmpty) ways.hidden = true;
    const or = card.querySelector<HTMLElement>('.or');
    if (or) or.hidden = isEmpty;
  }
  show(getFirst(methods));
};
