/** Schemes that run or read something in the browser instead of opening an app. */
const blocked: readonly string[] = [
  'about:',
  'blob:',
  'data:',
  'file:',
  'filesystem:',
  'javascript:',
  'vbscript:',
  'view-source:',
];

const parse = (address: string): URL | undefined =>
  URL.canParse(address) ? new URL(address) : undefined;

/**
 * Whether an address leads back to the app: to a web page, or to the app of a scheme of its own, which must be that of the request.
 * The service has checked it; the page doesn't rely on that where a scheme could run a script.
 */
export const isReturn = (address: string, redirectUri: string): boolean => {
  const { protocol = '' } = parse(address) ?? {};
  if (protocol === 'https:' || protocol === 'http:') return true;
  return protocol === parse(redirectUri)?.protocol && !blocked.includes(protocol);
};

/** Returns the host of an address of the web, or the scheme of an app: `cursor://`. */
export const getHost = (address: string): string => {
  const { protocol = '', host = '' } = parse(address) ?? {};
  return /^https?:$/.test(protocol) ? host : `${protocol}//`;
};
