import type { ApiResponse } from './transport.ts';

/** The data of a reader, and whether it differs from what the call before returned. */
export interface Reading<Data> {
  readonly data: Data;
  readonly isChanged: boolean;
}

/** Reads an operation again, at the cost of a 304 if nothing has changed. */
export type CachedReader<Data> = () => Promise<Reading<Data>>;

/** Creates a reader that keeps the last response with its ETag. */
export const createReader = (
  send: (headers: Record<string, string>) => Promise<ApiResponse<unknown>>,
  headers: Readonly<Record<string, string>> = {},
): CachedReader<unknown> => {
  let last: ApiResponse<unknown> | undefined;
  return async () => {
    const response = await send({
      ...headers,
      ...(last?.etag !== undefined && { 'if-none-match': last.etag }),
    });
    if (response.status === 304 && last) return { data: last.data, isChanged: false };
    // Browsers may turn a 304 into the response that they have kept.
    const isChanged = response.etag === undefined || response.etag !== last?.etag;
    last = response;
    return { data: response.data, isChanged };
  };
};
