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

/** The longest address that is asked for: CloudFront refuses those over 8,192 bytes. Each character is a byte. */
const maxAddress = 8_000;

/** Adds the page to open after signing in to the address of a sign-in page, unless it would be too long. */
export const withNext = (path: string, next: string | undefined): string => {
  if (next === undefined) return path;
  const mark = path.includes('?') ? '&' : '?';
  const address = `${path}${mark}next=${encodeURIComponent(next).replaceAll('%2F', '/')}`;
  return address.length > maxAddress ? path : address;
};

/**
 * Returns the sign-in page for who has just signed out or wants another account. It lets them choose, also where it leads all
 * others straight to the only provider.
 */
export const toLoginAfterSignOut = (next?: string): string => withNext('/login?why=out', next);
