import type { ComponentChildren } from 'preact';
import { Button } from './button.tsx';
import { componentTexts as texts } from './texts.ts';

const Drawing = () => (
  <svg class="art" viewBox="0 0 112 88" aria-hidden="true">
    <rect class="y" x="18" y="14" width="44" height="58" rx="5" transform="rotate(-9 40 43)" />
    <rect class="p" x="42" y="10" width="50" height="66" rx="5" />
    <path class="l" d="M52 40h30M52 50h30M52 60h18" />
    <path class="z" d="M52 26h18" />
    <circle class="x" cx="88" cy="70" r="12" />
    <path class="plus" d="M88 64.5v11M82.5 70h11" />
  </svg>
);

interface EmptyProps {
  readonly title: string;
  readonly text?: ComponentChildren;
  /** A drawing of its own. */
  readonly art?: ComponentChildren;
  /** The one thing to do here. */
  readonly action?: ComponentChildren;
}

/** Stands where a list has nothing yet: a drawing, a sentence and one action. */
export const Empty = ({ title, text, action, art = <Drawing /> }: EmptyProps) => (
  <div class="empty">
    {art}
    <h2>{title}</h2>
    {text !== undefined && <p>{text}</p>}
    {action}
  </div>
);

interface NoResultsProps {
  readonly text: string;
  /** Clears the search and the filters. */
  readonly clear: () => unknown;
}

/** Stands where a search or a filter has found nothing. */
export const NoResults = ({ text, clear }: NoResultsProps) => (
  <div class="empty" role="status">
    <h2>{text}</h2>
    <Button onClick={clear}>{texts.clearFilters}</Button>
  </div>
);
