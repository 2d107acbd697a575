/** What the address of a document’s page keeps. */
export interface View {
  /** Its revisions: their list, or the version of the one whose changes are shown. */
  readonly revisions: 'list' | number | undefined;
}

/** Parses the query of the page. Ignores unknown values. */
export const parseView = (query: URLSearchParams): View => {
  const asked = query.get('revisions');
  if (asked === 'list') return { revisions: 'list' };
  return { revisions: asked !== null && /^[1-9]\d{0,14}$/.test(asked) ? Number(asked) : undefined };
};

/** Returns the query of a view, after the path of its document. */
export const toQuery = ({ revisions }: View): string =>
  revisions === undefined ? '' : `?revisions=${revisions}`;
