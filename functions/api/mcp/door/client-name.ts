import type { Actor } from '../../../../shared/auth/actor.ts';
import { toVisibleLine } from '../../../../shared/text/visible.ts';

/** Long enough for any name; what an audit entry shows of a User-Agent. */
const maxLength = 64;

/**
 * Returns what a client is called in the audit log: a connected app by the name that its user has allowed, others as they call
 * themselves, which proves nothing.
 */
export const getClientName = (
  { token }: Actor,
  stated: string | undefined,
  userAgent: string | undefined,
): string => {
  const name = token?.isApp ? token.name : (stated ?? userAgent ?? '');
  const plain = Array.from(toVisibleLine(name.slice(0, 4 * maxLength)).trim());
  return plain.slice(0, maxLength).join('') || 'unknown';
};
