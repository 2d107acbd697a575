/** Returns the filters of a query, as people and the audit log read them; `null` without any. */
export const describeFilters = (query: string): string | null => {
  const params = new URLSearchParams(query);
  for (const name of ['format', 'separator', 'cursor']) params.delete(name);
  return params.size > 0 ? decodeURIComponent(params.toString().replaceAll('+', ' ')) : null;
};
