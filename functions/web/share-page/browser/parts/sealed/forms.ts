import { sealedTexts as texts } from './texts.ts';

/** Why the whole link is asked for. */
export interface AskedLink {
  readonly title: string;
  readonly about: string;
  /** What is wrong with the part that there is. */
  readonly reason?: string | undefined;
}

/** What the card of the page asks for: to open the share, or for its whole link. */
export interface GateForms {
  /** Offers to open the share, with the passphrase if its key asks for one. `isKept` if the tab has the key, and not the address. */
  offer(hasPassphrase: boolean, isKept?: boolean): void;
  /** Asks for the whole link. */
  askForLink(asked: AskedLink): void;
  /** Shows that the share is being opened, or not any more. */
  setBusy(isBusy: boolean): void;
  /** Says why nothing was opened. `isOfField` if it is about what was typed. */
  fail(text: string, isOfField: boolean): void;
  /** Moves the focus to what is next to do. */
  focus(): void;
  onOpen(open: (passphrase: string) => void): void;
  onLink(use: (pasted: string) => void): void;
}

const find = <Found extends HTMLElement = HTMLElement>(
  root: ParentNode,
  selector: string,
): Found => {
  const found = root.querySelector<Found>(selector);
  if (!found) throw new Error(`The page has no ${selector}.`);
  return found;
};

const findParts = (form: HTMLElement) => ({
  form,
  input: find<HTMLInputElement>(form, 'input'),
  button: find<HTMLButtonElement>(form, 'button'),
  error: find(form, '.err'),
});

type FormParts = ReturnType<typeof findParts>;

const clear = ({ error, input }: FormParts): void => {
  error.hidden = true;
  error.textContent = '';
  input.removeAttribute('aria-invalid');
};

/** Makes the forms of the card work. What is typed is never sent: the forms have no action, and their fields no name. */
export const createForms = (place: HTMLElement): GateForms => {
  const card = find(document, '.at-gate');
  const [heading, about] = [find(card, 'h1'), find(card, 'h1 + p')];
  const cost = card.querySelector<HTMLElement>(':scope > .note');
  const status = find(place, '[role="status"]');
  const opening = findParts(find(place, '[data-opens]'));
  const linking = findParts(find(place, '[data-links]'));
  const field = find(opening.form, '.field');
  const title = heading.textContent;

  const show = (shown: FormParts, headline: string, why: string): void => {
    for (const one of [opening, linking]) {
      one.form.hidden = one !== shown;
      clear(one);
    }
    if (cost) cost.hidden = shown === linking;
    heading.textContent = headline;
    about.textContent = why;
  };

  const getShown = (): FormParts => (linking.form.hidden ? opening : linking);

  const onSubmit = ({ form, input }: FormParts, act: (typed: string) => void): void =>
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      act(input.value);
    });

  return {
    offer: (hasPassphrase, isKept = false) => {
      field.hidden = !hasPassphrase;
      if (hasPassphrase) show(opening, texts.enterPassphrase, texts.passphraseWhy);
      else show(opening, title, isKept ? texts.readyInTab : texts.ready);
    },
    askForLink: ({ title: headline, about: why, reason }) => {
      show(linking, headline, why);
      linking.input.value = '';
      if (reason === undefined) return;
      linking.error.textContent = reason;
      linking.error.hidden = false;
    },
    setBusy: (isBusy) => {
      const { button } = opening;
      for (const name of ['aria-busy', 'aria-disabled']) {
        if (isBusy) button.setAttribute(name, 'true');
        else button.removeAttribute(name);
      }
      status.textContent = isBusy ? texts.opening : '';
      if (isBusy) clear(opening);
    },
    fail: (text, isOfField) => {
      const { error, input } = getShown();
      error.textContent = text;
      error.hidden = false;
      if (isOfField) input.setAttribute('aria-invalid', 'true');
    },
    focus: () => {
      const { input, button } = getShown();
      const isAsked = getShown() === linking || !field.hidden;
      if (!isAsked) return button.focus();
      input.focus();
      input.select();
    },
    onOpen: (open) => onSubmit(opening, open),
    onLink: (use) => onSubmit(linking, use),
  };
};
