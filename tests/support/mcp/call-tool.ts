import { randomUUID } from 'node:crypto';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import type { BuiltTool } from '../../../functions/api/mcp/tools/built-tool.ts';
import type { ToolResult } from '../../../functions/api/mcp/tools/tool-result.ts';
import { callTool, listTools } from '../../../functions/api/mcp/tools/tools.ts';
import { buildTools } from '../../../infra/build/tools.ts';
import { lambdaContext } from '../../../infra/local/lambda-context.ts';
import { type Actor, authenticate } from '../../../shared/auth/actor.ts';
import type { Event } from '../../../shared/http/http.ts';
import { createApiToken } from '../users/account.ts';

/** The tools as they are built from the routes now. */
export const tools: ReadonlyMap<string, BuiltTool> = new Map(
  buildTools().map((tool) => [tool.definition.name, tool]),
);

const ajv = new Ajv2020({ strict: false, validateFormats: false });

/** Asserts that a value has a schema of a tool. */
export const assertFits = (schema: object, value: unknown, about: string): void => {
  const check = ajv.compile(schema);
  expect(check(value) || check.errors, about).toBe(true);
};

/** Returns the actor of an access token or API token, as the door does. */
export const actorOf = (token: string | undefined): Promise<Actor> =>
  authenticate({
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    cookies: undefined,
    hasBody: true,
  });

/** The request by which a client calls tools. */
const doorEvent = (): Event => ({
  version: '2.0',
  routeKey: 'POST /mcp',
  rawPath: '/mcp',
  rawQueryString: '',
  headers: { host: 'handbill.test', authorization: 'Bearer kept-out', 'user-agent': 'tests' },
  requestContext: {
    accountId: '0',
    apiId: 'test',
    domainName: 'handbill.test',
    domainPrefix: 'test',
    http: {
      method: 'POST',
      path: '/mcp',
      protocol: 'HTTP/1.1',
      sourceIp: '192.0.2.1',
      userAgent: 'tests',
    },
    requestId: randomUUID(),
    routeKey: 'POST /mcp',
    stage: '$default',
    time: '',
    timeEpoch: 0,
  },
  body: '{}',
  isBase64Encoded: false,
});

/** The result of a call, for tests. */
export interface Called extends ToolResult {
  /** The text of the first block. */
  readonly text: string;
  /** What it says, of a call that succeeds. */
  // biome-ignore lint/suspicious/noExplicitAny: each test checks the shape it expects
  readonly data: any;
}

/** Calls a tool with the actor of a token. A result has the output schema of its tool. */
export const callAs = async (actor: Actor, name: string, input: object = {}): Promise<Called> => {
  const context = lambdaContext(randomUUID(), Date.now() + 15_000);
  const caller = { client: 'Test client', event: doorEvent(), context };
  const result = await callTool(actor, name, { ...input }, caller);
  if (!result) throw new Error(`No tool ${name}`);
  expect(result.content).toHaveLength(1);
  const { outputSchema } = tools.get(name)?.definition ?? {};
  if (outputSchema && !result.isError) assertFits(outputSchema, result.structuredContent, name);
  const text = result.content[0]?.text ?? '';
  return { ...result, text, data: result.structuredContent };
};

/** Creates the calls of an assistant with a token. */
export const assistantOf = (token: string | undefined) => {
  const use = async (name: string, input: object = {}): Promise<Called> =>
    callAs(await actorOf(token), name, input);
  return {
    use,
    /** Calls a tool that has to succeed, and returns what it says. */
    get: async (name: string, input: object = {}): Promise<Called['data']> => {
      const called = await use(name, input);
      expect(called.isError, called.text).toBeUndefined();
      return called.data;
    },
    /** Calls a tool that has to fail, and returns its text. */
    fail: async (name: string, input: object = {}): Promise<string> => {
      const called = await use(name, input);
      expect(called.isError, called.text).toBe(true);
      return called.text;
    },
    names: async (): Promise<string[]> =>
      (await listTools(await actorOf(token))).map(({ name }) => name),
  };
};

/** Creates an assistant with an API token of a user. */
export const newAssistant = async (
  owner: { readonly token?: string | undefined },
  permissions: readonly string[] | null = ['shares:create', 'shares:update', 'shares:view'],
  ceiling?: object,
) => {
  const made = await createApiToken(owner.token, {
    permissions,
    ...(ceiling && { ceiling, expiresInDays: 90 }),
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return assistantOf(made.body.data.token);
};
