/** Where signing in leads unless an address asks for another page. */
const home = '/dashboard';

/** Any origin: it only shows whether an address stays on its own. */
const origin = 'https://this.invalid';

/**
 * Returns the path to open after signing in: `next` if it is a path of this host. A path that starts with `//` would be
 * another host.
 */
export const getDestination = (next = ''): string => {
  if (!next.startsWith('/') || !URL.canParse(next, origin)) return home;
  const { origin: found, pathname, search, hash } = new URL(next, origin);
  return found === origin && !pathname.startsWith('//') ? `${pathname}${search}${hash}` : home;
};

/** Adds the page to open after signing in to the path of a sign-in page. */
export const withNext = (path: string, next: string | undefined): string =>
  next === undefined ? path : `${path}?next=${encodeURIComponent(next).replaceAll('%2F', '/')}`;
