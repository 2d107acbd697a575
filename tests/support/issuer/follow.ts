const cookieOf = (header: string): readonly [string, string] => {
  const [pair = ''] = header.split(';');
  const at = pair.indexOf('=');
  return [pair.slice(0, at), pair.slice(at + 1)];
};

/** Follows the redirects of an issuer as the browser of someone, until it leads back. */
export const follow = async (from: string, origin: string, sub: string): Promise<URL> => {
  const jar = new Map<string, string>();
  for (let at = new URL(from), hops = 0; hops < 10; hops += 1) {
    if (at.origin !== origin) return at;
    if (at.pathname.startsWith('/choose/')) at.searchParams.set('as', sub);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(at, { redirect: 'manual', headers: { cookie } });
    for (const header of response.headers.getSetCookie()) jar.set(...cookieOf(header));
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${at}: ${response.status} ${await response.text()}`);
    at = new URL(location, at);
  }
  throw new Error('The issuer leads nowhere');
};
