/** Values of the placeholders and the query of an endpoint. */
export interface UrlParts {
  readonly params?: Readonly<Record<string, string | number>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
}

const encodeSegment = (name: string, value: string | number | undefined): string => {
  const text = String(value ?? '');
  // URLs resolve these to another address.
  if (['', '.', '..'].includes(text)) throw new TypeError(`Invalid ${name}: ${text}`);
  return encodeURIComponent(text);
};

/** Creates the URL of an endpoint such as `GET /api/documents/{id}`. Leaves out what is undefined. */
export const toUrl = (baseUrl: string, endpoint: string, { params, query }: UrlParts): string => {
  const path = endpoint
    .slice(endpoint.indexOf('/'))
    .replace(/\{(\w+)\}/g, (_, name: string) => encodeSegment(name, params?.[name]));
  const search = new URLSearchParams(
    Object.entries(query ?? {}).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  ).toString();
  return `${baseUrl}${path}${search && `?${search}`}`;
};
