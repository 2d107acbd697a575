import { AsyncLocalStorage } from 'node:async_hooks';
import { createChangeRecorder } from '../../../../shared/audit/audit-log.ts';
import { type Actor, signInAgain } from '../../../../shared/auth/actor.ts';
import { createHandler, type Handler } from '../../../../shared/http/create-handler.ts';
import * as idempotency from '../../../../shared/http/idempotency/idempotency.ts';
import { findRefusal } from '../../../../shared/http/middleware/authorize.ts';
import * as limiter from '../../../../shared/http/rate-limit.ts';
import type { Route } from '../../../../shared/http/route.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import type { BuiltTool, ToolGroup } from './built-tool.ts';
import { toErrorResult } from './error-result.ts';
import { toContext, toEvent } from './event.ts';
import { toRequest } from './inputs.ts';
import { findLackingScope } from './registry.ts';
import { readResponse, toResult } from './result.ts';
import type { ToolCaller } from './tool-caller.ts';
import type { ToolResult } from './tool-result.ts';

/** Loads the routes of a group, which a call of its first tool waits for. */
const loadRoutes: Readonly<Record<ToolGroup, () => Promise<readonly Route[]>>> = {
  share: async () => (await import('../../share/routes.ts')).routes,
  documents: async () => (await import('../../documents/routes.ts')).routes,
  markdown: async () => (await import('../../markdown/routes.ts')).routes,
};

/** Who calls a tool now. */
const callers = new AsyncLocalStorage<Actor>();

/** Returns the actor whom the door has authenticated. */
const authenticate = async (): Promise<Actor> => {
  const actor = callers.getStore();
  if (!actor) throw signInAgain();
  return actor;
};

const handlers = new Map<string, Handler>();

/** Returns the handler of a tool's route, and of no other, so that no argument leads elsewhere. */
const getHandler = async ({ group, method, path }: BuiltTool): Promise<Handler> => {
  const endpoint = `${method} ${path}`;
  const known = handlers.get(endpoint);
  if (known) return known;
  const routes = await loadRoutes[group]();
  const route = routes.filter((one) => one.method === method && one.path === path);
  const handler = createHandler(route, {
    ...{ authenticate, createChangeRecorder, limiter, idempotency },
    isInner: true,
  });
  handlers.set(endpoint, handler);
  return handler;
};

/** Longer names of clients are cut in the audit log. */
const maxClientLength = 100;

/**
 * Calls a tool as `callTool` does.
 */
export const call = async (
  tool: BuiltTool,
  actor: Actor,
  input: Readonly<Record<string, unknown>>,
  { client, event, context }: ToolCaller,
): Promise<ToolResult> => {
  const refusal = findRefusal(tool, actor);
  if (refusal) return toErrorResult(tool, refusal, findLackingScope(tool, actor));
  try {
    const request = toRequest(tool, input);
    const inner = toEvent(tool, request, event);
    const handler = await getHandler(tool);
    const { name } = tool.definition;
    const via = { client: client.slice(0, maxClientLength), tool: name };
    const response = await callers.run({ ...actor, via }, () => handler(inner, toContext(context)));
    return toResult(tool, request, readResponse(response));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return toErrorResult(tool, error);
  }
};
