import type { Page } from 'playwright-core';
import type { Username } from '../../../infra/local/demo/team.ts';
import type { DemoService } from './demo-service.ts';

/** A page as a user sees it, to be tested and pictured. */
export interface PageState {
  /** Unique; the name of its picture. */
  readonly name: string;
  /** The path of the route that serves it, such as `/s/{id}`; by default its `path`. */
  readonly route?: string;
  /** Path and query. */
  readonly path: string | ((demo: DemoService) => Promise<string>);
  /** Who is signed in; nobody by default. */
  readonly as?: Username;
  /** The status of the response, if not 200. */
  readonly status?: number;
  /** The page that the server would reply, for an error that can’t be caused. */
  readonly reply?: () => string;
  /** What the user does, such as opening a menu. */
  readonly act?: (page: Page) => Promise<unknown>;
  /** The widths at which what the user does is possible, if not all. */
  readonly minWidth?: number;
  readonly maxWidth?: number;
}

/** Returns whether a state exists at a width. */
export const existsAt = (
  { minWidth = 0, maxWidth = Number.POSITIVE_INFINITY }: PageState,
  width: number,
): boolean => minWidth <= width && width <= maxWidth;
