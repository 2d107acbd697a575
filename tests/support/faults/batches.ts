type Requests = readonly unknown[];
interface Keys {
  readonly Keys: Requests;
}
type RequestItems = Readonly<Record<string, Requests | Keys>>;

/** The processed and unprocessed parts of a batch. Either may be empty. */
export interface SplitBatch {
  readonly done: RequestItems;
  readonly left: RequestItems;
}

const isKeys = (requests: Requests | Keys): requests is Keys => 'Keys' in requests;

const part = (requests: Requests | Keys, from: number, to?: number): Requests | Keys =>
  isKeys(requests)
    ? { ...requests, Keys: requests.Keys.slice(from, to) }
    : requests.slice(from, to);

const lengthOf = (requests: Requests | Keys): number =>
  isKeys(requests) ? requests.Keys.length : requests.length;

const withoutEmpty = (items: RequestItems): RequestItems =>
  Object.fromEntries(Object.entries(items).filter(([, requests]) => lengthOf(requests) > 0));

/** Splits a batch: half of it stays unprocessed (none of a single request), or all of it. */
export const splitBatch = (items: RequestItems, isHalf: boolean): SplitBatch => {
  const cut = (from: 'done' | 'left') =>
    withoutEmpty(
      Object.fromEntries(
        Object.entries(items).map(([table, requests]) => {
          const at = isHalf ? Math.ceil(lengthOf(requests) / 2) : 0;
          return [table, from === 'done' ? part(requests, 0, at) : part(requests, at)];
        }),
      ),
    );
  return { done: cut('done'), left: cut('left') };
};

/** Completes the response to the processed part with the unprocessed requests. */
export const unsplit = (response: object, { left }: SplitBatch, operation: string): object =>
  operation === 'BatchGetItem'
    ? { Responses: {}, ...response, UnprocessedKeys: left }
    : { ...response, UnprocessedItems: left };
