/** Returns the month (UTC) of an ISO 8601 time, such as `2026-11`. */
export const getMonth = (at: string): string => at.slice(0, 7);

/** Lists the last months (UTC), oldest first, including the current one. */
export const listLastMonths = (count: number): string[] => {
  const now = new Date();
  return Array.from({ length: count }, (_, at) =>
    getMonth(
      new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count + 1 + at)).toISOString(),
    ),
  );
};
