import { canPublish } from '../../../../../../shared/permissions/scopes.ts';
import { ApiError } from '../../../../browser/client/api-error.ts';
import { clientTexts } from '../../../../browser/client/texts.ts';
import { getInitials } from '../../../../layout/initials.ts';
import { consentTexts as texts } from '../../texts.ts';
import { fillCeiling, readCeiling, toggleCeiling } from './ceiling.ts';
import { create, createName, get } from './elements.ts';
import { describeMissing, type Grant, removeEntries, toGrants } from './grants.ts';
import type { Decision, Question, User } from './requests.ts';
import { showView } from './views.ts';

/** Shows or hides what went wrong. */
export const showFailure = (message = ''): void => {
  const failure = get('[data-failure]');
  failure.textContent = message;
  failure.hidden = message === '';
};

const createIcon = (name: string): HTMLElement =>
  create('i', '', { class: name, 'aria-hidden': 'true' });

/** A line that a person can turn off. The icon stands for the checkbox, which is there for keyboards and screen readers. */
const createLine = ({ text, entries }: Grant): HTMLElement => {
  const box = create('input', '', { type: 'checkbox', checked: '' });
  box.dataset['entries'] = entries.join(' ');
  const label = document.createElement('label');
  label.append(box, createIcon('i-check'), createIcon('i-x'), create('span', text));
  const line = document.createElement('li');
  line.append(label);
  return line;
};

const getOff = (): ReadonlySet<string> => {
  const off = document.querySelectorAll<HTMLInputElement>('.grants input:not(:checked)');
  return new Set([...off].flatMap(({ dataset }) => (dataset['entries'] ?? '').split(' ')));
};

const fillGrants = ({ permissions }: Question): void => {
  const list = get('.grants');
  const missing = describeMissing(permissions);
  const no = create('li', '', { class: 'no' });
  no.append(createIcon('i-x'), create('span', missing ?? ''));
  list.replaceChildren(...toGrants(permissions).map(createLine), ...(missing ? [no] : []));
};

/** Shows the question: who asks, where they send one back to, whose account it is, what they would get. */
export const showQuestion = (question: Question, user: User): void => {
  const { client, redirectHost, isLoopback, permissions, ceiling, limits } = question;
  const form = get('#consent');
  get('[data-initial]', form).textContent = [...client.name.trim()][0]?.toUpperCase() ?? '';
  get('h1', form).replaceChildren(texts.allow, createName('bdi', client.name), texts.questionMark);
  get('[data-about]', form).replaceChildren(
    texts.sendsBack,
    isLoopback ? create('b', texts.thisDevice) : createName('b', redirectHost),
    isLoopback ? texts.startedHere : texts.startedThere,
  );
  get('[data-initials]', form).textContent = getInitials(user.name);
  get('[data-email]', form).textContent = user.email;
  fillGrants(question);
  if (ceiling) fillCeiling(ceiling, limits);
  const draw = (): void => {
    toggleCeiling(ceiling !== null && canPublish(removeEntries(permissions, getOff())));
    showFailure();
  };
  get('.grants', form).addEventListener('change', draw);
  draw();
  showView('consent', texts.allowQuestion(client.name));
};

/** Returns what the person allows, or `undefined` with what is wrong shown and focused. */
export const readAnswer = ({ permissions }: Question): Decision | undefined => {
  showFailure();
  const kept = removeEntries(permissions, getOff());
  if (kept.length === 0) {
    showFailure(texts.chooseOne);
    document.querySelector<HTMLElement>('.grants input')?.focus();
    return undefined;
  }
  const ceiling = readCeiling();
  if (ceiling instanceof HTMLElement) {
    ceiling.focus();
    return undefined;
  }
  return {
    decision: 'allow',
    permissions: kept,
    ...(ceiling && { ceiling }),
  };
};

/** Shows why nothing was decided, above the buttons. */
export const showRefusal = (error: unknown): void =>
  showFailure(error instanceof ApiError ? error.message : clientTexts.failed);
