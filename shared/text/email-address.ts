import { domainToASCII, domainToUnicode } from 'node:url';
import { pattern } from './pattern.ts';

const splitAddress = (email: string): readonly [local: string, domain: string] => {
  const at = email.lastIndexOf('@') + 1;
  return [email.slice(0, at), email.slice(at)];
};

/** Names of other scripts. Anything else is left as it is, because `domainToASCII` would cut it off, as a path of a URL. */
const international = pattern(String.raw`^(?=.*[^\x20-\x7e])[\p{L}\p{M}\p{N}.-]+$`, 'u');

const isAscii = /^[\x20-\x7e]*$/;

/**
 * Writes the domain of an email address in ASCII, as it is stored, compared and mailed (decisions.md#text). Leaves one as it is
 * that isn't valid, or whose letters would all turn into ASCII: it only looks like another, such as `eｘample.com`.
 */
export const toAsciiDomain = (email: string): string => {
  const [local, domain] = splitAddress(email);
  if (!international().test(domain)) return email;
  const labels = domainToASCII(domain).split('.');
  const isLookAlike = domain
    .split('.')
    .some((label, at) => !isAscii.test(label) && !labels[at]?.startsWith('xn--'));
  return isLookAlike ? email : local + labels.join('.');
};

/** Writes the domain of a stored email address as people read it, such as `ann@münchen.de`. */
export const toShownEmail = (email: string): string => {
  const [local, domain] = splitAddress(email);
  return domain.includes('xn--') ? local + (domainToUnicode(domain) || domain) : email;
};
