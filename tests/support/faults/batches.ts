type Requests = readonly unknown[];
interface Keys {
  readonly Keys: Requests;
}
type RequestItems = Readonly<Record<string, Requests | Keys>>;

/** A batch in two: what is done of it, and what is left unprocessed; either may be nothing. */
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

/** Leaves half of a batch unprocessed (of one request none is), or all of it. */
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

/** The answer to a whole batch, made of that to the part that was done. */
export const unsplit = (response: object, { left }: SplitBatch, operation: string): object =>
  operation === 'BatchGetItem'
    ? { Responses: {}, ...response, UnprocessedKeys: left }
    : { ...response, UnprocessedItems: left };
