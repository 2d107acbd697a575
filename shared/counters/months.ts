/** The month (UTC) of an ISO 8601 time, such as `2026-11`. */
export const monthOf = (at: string): string => at.slice(0, 7);

/** The last so many months (UTC), the oldest first; the current one is the last. */
export const lastMonths = (count: number): string[] => {
  const now = new Date();
  return Array.from({ length: count }, (_, at) =>
    monthOf(
      new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count + 1 + at)).toISOString(),
    ),
  );
};
