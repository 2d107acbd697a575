/** The searchable fields of a share. */
export interface SearchableShare {
  readonly title: string | null;
  readonly description: string | null;
}

/** Tells whether the title and description of a share contain every word of the query, ignoring case. */
export const matchesQuery = ({ title, description }: SearchableShare, query: string): boolean => {
  const text = `${title ?? ''} ${description ?? ''}`.toLocaleLowerCase();
  return query
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};
