import { randomInt } from 'node:crypto';
import * as z from 'zod';

const maxLength = 32;

/** A name of an account beside its e-mail address; those that differ in case only are the same. */
export const Username = z
  .string()
  .trim()
  .regex(
    /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,30}[A-Za-z0-9])?$/,
    'must have 1 to 32 letters, digits, dots, hyphens or underscores, a letter or digit first and last',
  );

/** The local part of the address as a username, with a random number behind it from the second try on. */
export const deriveUsername = (email: string, attempt: number): string => {
  const local = email.slice(0, email.indexOf('@')).replace(/[^a-z0-9._-]/gi, '');
  const suffix = attempt === 0 ? '' : `-${randomInt(10 ** (attempt + 3))}`;
  const plain = local.replace(/^[._-]+/, '').slice(0, maxLength - suffix.length);
  return `${plain.replace(/[._-]+$/, '') || 'user'}${suffix}`;
};
