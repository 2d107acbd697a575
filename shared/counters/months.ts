/** The month (UTC) of an ISO 8601 time, such as `2026-11`. */
export const getMonth = (at: string): string => at.slice(0, 7);

/** The last so many months (UTC), the oldest first; the current one is the last. */
export const listLastMonths = (count: number): string[] => {
  const now = new Date();
  return Array.from({ length: count }, (_, at) =>
    getMonth(
      new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count + 1 + at)).toISOString(),
    ),
  );
};
