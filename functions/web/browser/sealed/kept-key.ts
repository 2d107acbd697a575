// The fragment of a sealed share's address, kept for this tab: a reload or an edit then doesn't ask for the link again.

/** What a key looks like in a text. A sentence or a program may have added something to the link. */
const keyInText = /(?:^|#)([kp]\d\.[\w-]{43})(?![\w-])/;

/** Returns what looks like a key in an address, a link or a fragment, without its `#`. Pages that only keep one don’t load what reads it. */
export const findKeyFragment = (text: string): string | undefined => keyInText.exec(text)?.[1];

const toKey = (id: string): string => `sealed ${id}`;

/** Keeps the fragment of a share's address in this tab, by the id in its address. A passphrase is never kept. */
export const keepFragment = (id: string, fragment: string): void => {
  try {
    sessionStorage.setItem(toKey(id), fragment);
  } catch {
    // Without storage, a reload asks for the link.
  }
};

/** Returns the fragment that this tab keeps of a share, without its `#`. */
export const findFragment = (id: string): string | undefined => {
  try {
    return sessionStorage.getItem(toKey(id)) ?? undefined;
  } catch {
    return undefined;
  }
};

/** Forgets the fragment of a share, which opened nothing. */
export const forgetFragment = (id: string): void => {
  try {
    sessionStorage.removeItem(toKey(id));
  } catch {
    // Nothing is kept.
  }
};

const toArriving = (id: string): string => `arriving ${id}`;

/**
 * Keeps the key in the address of a share’s page, by its name there: what its reader has to do first, such as to sign in, leads
 * back to the address without it. It stands beside one that has opened the share. Returns whether it is kept.
 */
export const keepAddressKey = (): boolean => {
  const { pathname, hash } = location;
  const [, place, name] = pathname.split('/');
  const fragment = findKeyFragment(hash);
  if (place !== 's' || !name || fragment === undefined) return false;
  keepFragment(toArriving(name), fragment);
  return findFragment(toArriving(name)) === fragment;
};

/** Returns the key that `keepAddressKey` kept by this name. */
export const findArrivedKey = (name: string): string | undefined => findFragment(toArriving(name));

/** Forgets the key that arrived at this name: it was tried. */
export const forgetArrivedKey = (name: string): void => forgetFragment(toArriving(name));
