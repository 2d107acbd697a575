import { randomInt } from 'node:crypto';
import * as z from 'zod';

const maxLength = 32;

/** A unique name of an account. Case is ignored. */
export const Username = z
  .string()
  .trim()
  .regex(
    /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,30}[A-Za-z0-9])?$/,
    'must be 1 to 32 letters, digits, dots, hyphens or underscores, starting and ending with a letter or digit',
  );

/** Derives a username from the local part of an email address. Later attempts append a random number. */
export const deriveUsername = (email: string, attempt: number): string => {
  const local = email.slice(0, email.indexOf('@')).replace(/[^a-z0-9._-]/gi, '');
  const suffix = attempt === 0 ? '' : `-${randomInt(10 ** (attempt + 3))}`;
  const plain = local.replace(/^[._-]+/, '').slice(0, maxLength - suffix.length);
  return `${plain.replace(/[._-]+$/, '') || 'user'}${suffix}`;
};
