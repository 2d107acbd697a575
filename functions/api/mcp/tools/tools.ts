import type { Actor } from '../../../../shared/auth/actor.ts';
import type { ToolDefinition } from './built-tool.ts';
import { loadTools, mayCall } from './registry.ts';
import type { ToolCaller } from './tool-caller.ts';
import type { ToolResult } from './tool-result.ts';

/** Returns the tools that the actor may call, by name. */
export const listTools = async (actor: Actor): Promise<readonly ToolDefinition[]> =>
  [...(await loadTools()).values()]
    .filter((tool) => mayCall(tool, actor))
    .map(({ definition }) => definition)
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));

/**
 * Calls a tool in the name of the actor, as a request of its route: with the route's validation, access, limits, audit and
 * errors, which the result tells (decisions.md#tools). Returns `undefined` if there is none of this name.
 */
export const callTool = async (
  actor: Actor,
  name: string,
  input: Readonly<Record<string, unknown>>,
  caller: ToolCaller,
): Promise<ToolResult | undefined> => {
  const tool = (await loadTools()).get(name);
  if (!tool) return undefined;
  const { call } = await import('./call.ts');
  return call(tool, actor, input, caller);
};
