// The nonce of a view: requests with the same one within a minute are one view, also after a reload or a lost response.

/** How long a request with the nonce is surely still of that view. The service allows a minute. ms. */
const sameViewMs = 55_000;

const parameter = 'claim';

interface Claim {
  readonly nonce: string;
  /** When it was sent first, ms since 1970. */
  readonly at: number;
}

const getKey = (): string => `claim ${location.pathname}`;

/** Where nothing can be stored, a claim lasts as long as the page. */
let ofPage: Claim | undefined;

const read = (): Claim | undefined => {
  try {
    const stored = sessionStorage.getItem(getKey());
    return stored === null ? ofPage : (JSON.parse(stored) as Claim);
  } catch {
    return ofPage;
  }
};

const isFresh = ({ at }: Claim): boolean => Math.abs(Date.now() - at) < sameViewMs;

const forget = (): void => {
  ofPage = undefined;
  try {
    sessionStorage.removeItem(getKey());
  } catch {
    // Nothing is stored.
  }
};

/** Whether the share of this address was opened in this tab, in the last minute if that is asked. */
export const hasClaim = (isRecent: boolean): boolean => {
  const claim = read();
  return claim !== undefined && (!isRecent || isFresh(claim));
};

/** Returns the nonce of the view of the last minute, or a new one. */
export const takeClaim = (): string => {
  const known = read();
  if (known && isFresh(known)) return known.nonce;
  ofPage = { nonce: crypto.randomUUID(), at: Date.now() };
  try {
    sessionStorage.setItem(getKey(), JSON.stringify(ofPage));
  } catch {
    // It lasts as long as the page.
  }
  return ofPage.nonce;
};

/** Takes the claim out of the address: it is this tab’s alone. Returns whether there was one. */
export const takeClaimOut = (): boolean => {
  const url = new URL(location.href);
  if (!url.searchParams.has(parameter)) return false;
  url.searchParams.delete(parameter);
  history.replaceState(history.state, '', url.pathname + url.search + url.hash);
  return true;
};

/**
 * Returns the address that shows the page of a share again to who had its last view in the last minute. A claim that was refused
 * is forgotten.
 */
export const findClaimedAddress = (): string | undefined => {
  const claim = read();
  if (takeClaimOut()) {
    forget();
    return undefined;
  }
  if (!claim || !isFresh(claim)) return undefined;
  const url = new URL(location.href);
  url.searchParams.set(parameter, claim.nonce);
  return url.pathname + url.search + url.hash;
};
