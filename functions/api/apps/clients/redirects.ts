/** Where a redirect address leads. */
export interface RedirectTarget {
  /** The host with its port, if that is not 443; `localhost` for the own device; the scheme of an installed app: `cursor://`. */
  readonly host: string;
  readonly isLoopback: boolean;
  readonly isHttps: boolean;
}

/** Maximum characters of a redirect address. */
export const maxRedirectLength = 500;

/** The hosts of the own device as they must be written, so that no other notation of a number or name counts as one. */
const loopback = /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?(?=[/?]|$)/;

/** What a browser runs, reads or shows by itself, instead of asking an installed app. */
const browserSchemes = [
  'about:',
  'blob:',
  'chrome:',
  'chrome-extension:',
  'data:',
  'feed:',
  'file:',
  'filesystem:',
  'ftp:',
  'intent:',
  'jar:',
  'javascript:',
  'livescript:',
  'mailto:',
  'moz-extension:',
  'resource:',
  'sms:',
  'tel:',
  'urn:',
  'vbscript:',
  'view-source:',
  'ws:',
  'wss:',
];

const appAddress = /^[a-z][a-z0-9+.-]*:\/{1,2}[^/]/;

const isText = (uri: string): boolean => /^[\x21-\x7e]+$/.test(uri) && !uri.includes('\\');

const findSchemeProblem = (uri: string, { protocol, hostname }: URL): string | undefined => {
  if (protocol === 'https:') {
    // Without them, a page takes it for an address of its own host.
    if (!/^https:\/\//i.test(uri)) return 'must start with https://';
    return hostname.includes('*') ? 'must name its host without a wildcard' : undefined;
  }
  if (protocol === 'http:') {
    return loopback.test(uri)
      ? undefined
      : 'must use https, unless its host is 127.0.0.1, [::1] or localhost';
  }
  return !browserSchemes.includes(protocol) && appAddress.test(uri)
    ? undefined
    : 'must use https or the scheme of an installed app';
};

/** Returns what is wrong with a redirect address, to follow its field's name; `undefined` if a client may have it. */
export const findRedirectProblem = (uri: string): string | undefined => {
  if (uri.length > maxRedirectLength) return `must be at most ${maxRedirectLength} characters`;
  const url = isText(uri) ? URL.parse(uri) : undefined;
  if (!url) return 'must be an address in ASCII, without spaces and backslashes';
  if (uri.includes('#')) return 'must have no fragment';
  if (url.username !== '' || url.password !== '') {
    return 'must have no user name and no password';
  }
  return findSchemeProblem(uri, url);
};

/** Removes the port of a loopback address, which an installed app chooses when it starts (RFC 8252, section 7.3). */
const withoutLoopbackPort = (uri: string): string =>
  uri.replace(loopback, (start) => start.replace(/:\d+$/, ''));

const toTarget = (uri: string): RedirectTarget => {
  const { protocol, host } = new URL(uri);
  if (loopback.test(uri)) return { host: 'localhost', isLoopback: true, isHttps: false };
  const isHttps = protocol === 'https:';
  return { host: isHttps ? host : `${protocol}//`, isLoopback: false, isHttps };
};

/**
 * Returns where a redirect address leads, if it is one of the client's: character by character, but for the port of the own
 * device (decisions.md#app-clients).
 */
export const matchRedirect = (
  { redirectUris }: { readonly redirectUris: readonly string[] },
  redirectUri: string,
): RedirectTarget | undefined => {
  if (findRedirectProblem(redirectUri) !== undefined) return undefined;
  const wanted = withoutLoopbackPort(redirectUri);
  return redirectUris.some((uri) => withoutLoopbackPort(uri) === wanted)
    ? toTarget(redirectUri)
    : undefined;
};
