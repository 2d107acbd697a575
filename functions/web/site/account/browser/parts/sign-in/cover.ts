/** What is shown in the place of a page's card. */
export interface Cover {
  readonly place: HTMLElement;
  /** The card that is hidden meanwhile. */
  readonly card: HTMLElement;
  /** What to say on the card when it is shown again, as its template has it. */
  readonly reason: string;
  /** Shows the card again. */
  readonly uncover: () => void;
}

let current: Cover | undefined;

/** Shows the content of a template in the place of the page's card, or of what covers it already. */
export const coverCard = (selector: string): Cover | undefined => {
  const template = document.querySelector<HTMLTemplateElement>(selector);
  const card = document.querySelector<HTMLElement>('#page > .at-gate');
  if (!template || !card) return undefined;
  current?.place.remove();
  for (const busy of card.querySelectorAll('[aria-busy]')) busy.removeAttribute('aria-busy');
  card.hidden = true;
  const place = document.createElement('div');
  place.append(template.content.cloneNode(true));
  card.after(place);
  const uncover = (): void => {
    place.remove();
    current = undefined;
    card.hidden = false;
  };
  current = { place, card, reason: template.dataset['late'] ?? '', uncover };
  return current;
};
