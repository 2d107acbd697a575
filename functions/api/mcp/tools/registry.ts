import type { Actor } from '../../../../shared/auth/actor.ts';
import { findRefusal } from '../../../../shared/http/middleware/authorize.ts';
import { can } from '../../../../shared/permissions/permissions.ts';
import { getEffectivePermissions } from '../../../../shared/permissions/roles.ts';
import type { BuiltTool } from './built-tool.ts';

let byName: ReadonlyMap<string, BuiltTool> | undefined;

/** Loads the tools by their names. They are built from the routes (`infra/build/tools.ts`). */
export const loadTools = async (): Promise<ReadonlyMap<string, BuiltTool>> => {
  if (byName) return byName;
  const { default: tools } = await import('./built/tools.json', { with: { type: 'json' } });
  const built = tools as unknown as readonly BuiltTool[];
  byName = new Map(built.map((tool) => [tool.definition.name, tool]));
  return byName;
};

/** Whether the actor may call a tool: its token has the scope, and its owner the permission. */
export const mayCall = (tool: BuiltTool, actor: Actor): boolean =>
  findRefusal(tool, actor) === undefined;

/** Returns the scope or permission that the actor’s token lacks for a tool, and its owner could give it. */
export const findLackingScope = (tool: BuiltTool, actor: Actor): string | undefined => {
  const refusal = findRefusal(tool, actor);
  const { access, scope } = tool;
  if (refusal?.code !== 'FORBIDDEN' || !actor.token) return undefined;
  if (access === 'signed-in') return scope;
  const owned = getEffectivePermissions(actor.user, actor.roles);
  return access !== 'session' && access !== 'optional' && access !== 'public' && can(owned, access)
    ? access
    : undefined;
};
