import { consentTexts as texts } from '../../texts.ts';
import { create, createName, get } from './elements.ts';

const views = ['wait', 'consent', 'notice'] as const;

/** Shows one of the cards, with the focus on its heading. */
export const showView = (shown: (typeof views)[number], title: string): void => {
  for (const view of views) get(`#${view}`).hidden = view !== shown;
  if (shown === 'wait') get('#page').setAttribute('aria-busy', 'true');
  else get('#page').removeAttribute('aria-busy');
  document.title = `${title} · ${document.title.split(' · ').at(-1)}`;
  get(`#${shown} h1`).focus();
};

/** What is said in place of the question. */
interface Notice {
  readonly title: string;
  readonly about: string;
  readonly mark: 'check' | 'cross';
  /** In small letters, such as what the service says about it. */
  readonly detail?: string;
  /** The ways on. */
  readonly ways?: readonly HTMLElement[];
}

/** Says something in place of the question. */
export const showNotice = ({ title, about, mark, detail, ways = [] }: Notice): void => {
  const notice = get('#notice');
  for (const element of notice.querySelectorAll<HTMLElement>('[data-mark]')) {
    element.hidden = element.dataset['mark'] !== mark;
  }
  get('h1', notice).textContent = title;
  get('[data-about]', notice).textContent = about;
  const small = get('[data-detail]', notice);
  small.textContent = detail ?? '';
  small.hidden = detail === undefined;
  const place = get('.ways', notice);
  place.replaceChildren(...ways);
  place.hidden = ways.length === 0;
  showView('notice', title);
};

/** Says that the person is sent back by itself. */
export const showContinuing = (name: string, host: string): void => {
  const wait = get('#wait');
  get('h1', wait).textContent = texts.continuing;
  const about = get('[data-about]', wait);
  about.replaceChildren(
    `${texts.allowedBefore(name)} ${texts.sendsBack}`,
    createName('b', host),
    '.',
  );
  about.hidden = false;
  showView('wait', texts.continuing);
};

/** Creates a button of a notice. */
export const createWay = (label: string, onClick: () => void): HTMLElement => {
  const way = create('button', label, { type: 'button', class: 'btn primary lg wide long' });
  way.addEventListener('click', onClick);
  return way;
};
