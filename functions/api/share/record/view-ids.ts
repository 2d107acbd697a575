import { createHash } from 'node:crypto';
import { createRandomText } from '../../../../shared/db/ids.ts';
import type { ShareAccess } from './share.ts';

/** How many view ids an access item stores: a retried view is recognized after up to 39 other views. */
const maxStored = 40;

/**
 * Returns the expression that prepends view ids, given by their placeholders, and drops the oldest. The right side of
 * each assignment is the value before the update.
 */
export const pushViewIds = (placeholders: readonly string[]): string =>
  Array.from(
    { length: maxStored },
    (_, index) =>
      `recentViewIds[${index}] = ${placeholders[index] ?? `recentViewIds[${index - placeholders.length}]`}`,
  ).join(', ');

/** The expression that prepends `:viewId`. */
export const pushViewId = pushViewIds([':viewId']);

/** Returns the view ids of a new access item. */
export const emptyViewIds = (): readonly string[] => Array<string>(maxStored).fill('-');

/** Creates a view id of eight characters: 40 of them keep an access item below 1 KB, which is one write unit. */
export const createViewId = (): string => createRandomText(6);

/** Ids of one view: the first is stored, any of them matches. */
export type ViewIds = readonly [string, ...string[]];

/** Derives a view id from a name. The same name results in the same id. */
export const toViewId = (name: string): string =>
  createHash('sha256').update(name).digest('base64url').slice(0, 8);

/** Returns the first of these ids that an access item stores. */
export const findViewId = (access: ShareAccess, viewIds: readonly string[]): string | undefined =>
  viewIds.find((viewId) => access.recentViewIds.includes(viewId));
