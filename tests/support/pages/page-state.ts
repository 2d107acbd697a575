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
  /** What the user does, such as opening a menu. */
  readonly act?: (page: Page) => Promise<unknown>;
  /** Widths at which what the user does is possible, if not all. */
  readonly minWidth?: number;
}
