import { Reply } from '../../../../shared/http/reply.ts';
import type { FailurePage, PublicError } from '../../../../shared/http/route.ts';

/** What texts put behind an address, and programs take for a part of it. None is in an address of a share or a request. */
const marks = new Set('.,;:!/\\)>]}*"\'`“”‘’»›。，、）」』》');

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

/** The longest address that is looked at. UTF-16 units. */
const maxLength = 4_096;

/** Returns a text without the marks at its end, which may be encoded. */
const trimMarks = (text: string): string => {
  const decoded = decode(text) ?? '';
  let end = decoded.length;
  while (end > 0 && marks.has(decoded.charAt(end - 1))) end--;
  return decoded.slice(0, end);
};

const paths =
  /^\/(?:s\/[\w-]{1,64}(?:\/(?:raw|revisions|embed|report))?|r\/[\w-]{1,64}(?:\/report)?)$/;

/** Returns the address of a share or a request that is meant by one with marks behind it, such as the full stop of a sentence. */
export const findShareAddress = (path: string, query: string): string | undefined => {
  if (!/^\/[rs]\//.test(path) || path.length + query.length > maxLength) return undefined;
  const address = trimMarks(path);
  if (address === path || !paths.test(address)) return undefined;
  return query === '' ? address : `${address}?${query}`;
};

const redirect = ({ method, status, path, query }: PublicError): Reply<string> | undefined => {
  if ((method !== 'GET' && method !== 'HEAD') || (status !== 404 && status !== 400))
    return undefined;
  const location = findShareAddress(path, query);
  // Permanent, because the address can never be another's.
  return location === undefined ? undefined : new Reply('', { status: 308, headers: { location } });
};

/** Leads from an address with marks behind it to the share or the request; other errors are the page's. */
export const leadingToShare =
  (page: FailurePage): FailurePage =>
  (error) =>
    redirect(error) ?? page(error);
