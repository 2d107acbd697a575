// The nonce of a view: requests with the same one within a minute are one view, also after a reload or a lost response.

/** How long a request with the nonce is surely still of that view. The service allows a minute. ms. */
const sameViewMs = 55_000;

interface Claim {
  readonly nonce: string;
  /** When it was sent first, ms since 1970. */
  readonly at: number;
}

const toKey = (id: string): string => `claim ${id}`;

/** Where nothing can be stored, a claim lasts as long as the page. */
const ofPage = new Map<string, Claim>();

const read = (id: string): Claim | undefined => {
  try {
    const stored = sessionStorage.getItem(toKey(id));
    return stored === null ? ofPage.get(id) : (JSON.parse(stored) as Claim);
  } catch {
    return ofPage.get(id);
  }
};

const isFresh = ({ at }: Claim): boolean => Math.abs(Date.now() - at) < sameViewMs;

/** Whether the share was opened in this tab, in the last minute if that is asked. */
export const hasClaim = (id: string, isRecent: boolean): boolean => {
  const claim = read(id);
  return claim !== undefined && (!isRecent || isFresh(claim));
};

/** Returns the nonce of the view of the last minute, or a new one. */
export const takeClaim = (id: string): string => {
  const known = read(id);
  if (known && isFresh(known)) return known.nonce;
  const claim = { nonce: crypto.randomUUID(), at: Date.now() };
  ofPage.set(id, claim);
  try {
    sessionStorage.setItem(toKey(id), JSON.stringify(claim));
  } catch {
    // It lasts as long as the page.
  }
  return claim.nonce;
};
