import type { divisions } from '../../../api/dashboard/pie.ts';

/** What can be chosen on the page of the dashboard; the first of each is what it shows at first. */
export const choices = {
  days: ['7', '30', '90'],
  months: ['6', '12', '24'],
  by: ['category', 'content'] satisfies typeof divisions,
} as const;

export type Choice = keyof typeof choices;

/** What is chosen. */
export type View = { readonly [Name in Choice]: (typeof choices)[Name][number] };

const oneOf = <Value extends string>(values: readonly [Value, ...Value[]], text: string | null) =>
  values.find((value) => value === text) ?? values[0];

/** What an address's query asks for; what makes no sense is left out. */
export const parseView = (query: string): View => {
  const asked = new URLSearchParams(query);
  return {
    days: oneOf(choices.days, asked.get('days')),
    months: oneOf(choices.months, asked.get('months')),
    by: oneOf(choices.by, asked.get('by')),
  };
};

/** The path and query of the page that shows this. */
export const toUrl = (view: View): string => {
  const chosen = Object.entries(view).filter(
    ([name, value]) => value !== choices[name as Choice][0],
  );
  return chosen.length === 0 ? '/dashboard' : `/dashboard?${new URLSearchParams(chosen)}`;
};

/** A part of a whole, with its share of it from 0 to 1. */
export interface Part {
  readonly name: string;
  readonly value: number;
  readonly share: number;
}

/** The largest parts first, and beyond `most` of them how many others there are and what they are together. */
export const mergeSmallParts = (
  slices: readonly { readonly name: string; readonly value: number }[],
  most: number,
): { readonly parts: readonly Part[]; readonly others: Part & { readonly count: number } } => {
  const whole = slices.reduce((sum, { value }) => sum + value, 0);
  const shareOf = (value: number) => (whole > 0 ? value / whole : 0);
  const sorted = slices.toSorted((a, b) => b.value - a.value);
  // One other needs no more room than to say that there is one.
  const shown = sorted.length === most + 1 ? sorted : sorted.slice(0, most);
  const rest = sorted.slice(shown.length);
  const value = rest.reduce((sum, one) => sum + one.value, 0);
  return {
    parts: shown.map((slice) => ({ ...slice, share: shareOf(slice.value) })),
    others: { name: '', value, share: shareOf(value), count: rest.length },
  };
};

/** The last whole month (UTC) and the one before it, as first days of theirs. */
export const comparedMonths = (now: Date): readonly [Date, Date] => {
  const monthsAgo = (count: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count));
  return [monthsAgo(1), monthsAgo(2)];
};
