import type { Invocation } from '../../../../shared/http/route.ts';

/** Who calls a tool, and by which request. */
export interface ToolCaller extends Invocation {
  /** What the client calls itself. */
  readonly client: string;
}
