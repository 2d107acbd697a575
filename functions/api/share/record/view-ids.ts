import { createHash, randomBytes } from 'node:crypto';
import type { ShareAccess } from './share.ts';

/** How many claims a gate knows: a lost answer is recognised after one fewer views came between. */
const knownClaims = 40;

/**
 * New claims, by the names of their values, move the ones before them on: in an update each right side is the item as it
 * was before.
 */
export const pushViewIds = (added: readonly string[]): string =>
  Array.from(
    { length: knownClaims },
    (_, at) => `claims[${at}] = ${added[at] ?? `claims[${at - added.length}]`}`,
  ).join(', ');

/** The same of one claim, `:claim`. */
export const shiftClaim = pushViewIds([':claim']);

/** What a gate knows at first. */
export const emptyViewIds = (): readonly string[] => Array<string>(knownClaims).fill('-');

/** Eight characters: with 40 of them a gate stays below 1 KB, so that a view is one write unit. */
export const createViewId = (): string => randomBytes(6).toString('base64url');

/** The names of one view: by the first it is taken, by any of them it is known. */
export type Claims = readonly [string, ...string[]];

/** The claim of whatever has this name: the same one each time. */
export const toViewId = (name: string): string =>
  createHash('sha256').update(name).digest('base64url').slice(0, 8);

/** The claim by which a gate knows a view, if it does. */
export const findViewId = (access: ShareAccess, claims: readonly string[]): string | undefined =>
  claims.find((claim) => access.claims.includes(claim));
