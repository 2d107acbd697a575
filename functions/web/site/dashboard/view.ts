import { chooseOne } from '../../browser/data/query.ts';

/** The options of the dashboard, each with its default first. */
export const choices = {
  view: ['mine', 'service'],
  days: ['7', '30', '90'],
  months: ['6', '12', '24'],
  by: ['category', 'content'],
} as const;

export type Choice = keyof typeof choices;

/** The selected options. */
export type View = { readonly [Name in Choice]: (typeof choices)[Name][number] };

/** Parses the query of the dashboard. Unknown values become the default. */
export const parseView = (query: string): View => {
  const asked = new URLSearchParams(query);
  return {
    view: chooseOne(choices.view, asked.get('view')),
    days: chooseOne(choices.days, asked.get('days')),
    months: chooseOne(choices.months, asked.get('months')),
    by: chooseOne(choices.by, asked.get('by')),
  };
};

/** Returns path and query of a view. */
export const toUrl = (view: View): string => {
  const chosen = Object.entries(view).filter(
    ([name, value]) => value !== choices[name as Choice][0],
  );
  return chosen.length === 0 ? '/dashboard' : `/dashboard?${new URLSearchParams(chosen)}`;
};

/** A part of a whole. `share` is from 0 to 1. */
export interface Part {
  readonly name: string;
  readonly value: number;
  readonly share: number;
}

/** Returns the largest parts first, and merges those beyond `most`. */
export const mergeSmallParts = (
  slices: readonly { readonly name: string; readonly value: number }[],
  most: number,
): { readonly parts: readonly Part[]; readonly others: Part & { readonly count: number } } => {
  const whole = slices.reduce((sum, { value }) => sum + value, 0);
  const shareOf = (value: number) => (whole > 0 ? value / whole : 0);
  const sorted = slices.toSorted((a, b) => b.value - a.value);
  // A single other part needs no more space than its merged entry.
  const shown = sorted.length === most + 1 ? sorted : sorted.slice(0, most);
  const rest = sorted.slice(shown.length);
  const value = rest.reduce((sum, one) => sum + one.value, 0);
  return {
    parts: shown.map((slice) => ({ ...slice, share: shareOf(slice.value) })),
    others: { name: '', value, share: shareOf(value), count: rest.length },
  };
};

/** Returns the first days (UTC) of the last complete month and the one before. */
export const comparedMonths = (now: Date): readonly [Date, Date] => {
  const monthsAgo = (count: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count));
  return [monthsAgo(1), monthsAgo(2)];
};
