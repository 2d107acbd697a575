/** What of a share a search looks at. */
export interface Searched {
  readonly title: string | null;
  readonly description: string | null;
}

/** Does a share have every word of the query, in its title or its description, ignoring case? */
export const matches = ({ title, description }: Searched, query: string): boolean => {
  const text = `${title ?? ''} ${description ?? ''}`.toLocaleLowerCase();
  return query
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};
