const dayMs = 86_400_000;
const dayCount = 30;

const addDays = (day: string, count: number): string =>
  new Date(Date.parse(day) + count * dayMs).toISOString().slice(0, 10);

/**
 * Returns the weeks with the 30 days up to `today`, and the first of these days. Weeks are whole and begin with
 * `firstWeekday`, from Monday, 1, to Sunday, 7.
 */
export const listWeeks = (
  today: string,
  firstWeekday: number,
): { readonly first: string; readonly rows: readonly (readonly string[])[] } => {
  const first = addDays(today, 1 - dayCount);
  const before = (new Date(first).getUTCDay() - firstWeekday + 7) % 7;
  const start = addDays(first, -before);
  const count = Math.ceil((before + dayCount) / 7);
  const rows = Array.from({ length: count }, (_, week) =>
    Array.from({ length: 7 }, (_, day) => addDays(start, week * 7 + day)),
  );
  return { first, rows };
};
