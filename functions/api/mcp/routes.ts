import * as z from 'zod';
import { Reply } from '../../../shared/http/reply.ts';
import { type RouteRequest, route } from '../../../shared/http/route.ts';
import { authenticateClient } from './door/authenticate-client.ts';
import { getClientName } from './door/client-name.ts';
import { answer } from './methods/answer.ts';
import { findClientName, getEra } from './protocol/eras.ts';
import { readHeaders } from './protocol/headers.ts';
import { findId, parseMessage } from './protocol/message.ts';
import { ProtocolError, refused } from './protocol/protocol-error.ts';
import {
  createError,
  createResult,
  RpcError,
  RpcMessage,
  RpcResponse,
  renderFailure,
} from './protocol/response.ts';

/** Of a message, in UTF-8. A share’s text has at most 1 MB, which JSON and Base64 make longer. */
const maxBytes = 4 * 1024 * 1024;

/** Far more calls than an assistant makes, whose model takes seconds for each. */
const mcpLimit = { name: 'mcp', tokens: 120, perMs: 60_000 } as const;

type Request = Pick<
  RouteRequest<'signed-in', unknown, unknown, unknown, unknown>,
  'actor' | 'body' | 'client' | 'invocation'
>;

/** @throws ProtocolError for a body of another type, or a longer one */
const assertReadable = ({
  body = '',
  isBase64Encoded,
  headers,
}: Request['invocation']['event']): void => {
  if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) {
    throw refused('invalidRequest', 'Invalid request: Content-Type must be application/json.');
  }
  const bytes = Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8');
  if (bytes <= maxBytes) return;
  throw new ProtocolError(
    'invalidRequest',
    'Invalid request: the message is larger than 4 MB. Upload large files with the handbill command.',
    { status: 413, data: { maxBytes } },
  );
};

/** @throws ProtocolError */
const handleMessage = async ({ actor, body, client, invocation }: Request) => {
  assertReadable(invocation.event);
  const message = parseMessage(body);
  const era = getEra(message, readHeaders(invocation.event.headers));
  const { id } = message;
  if (id === undefined) return new Reply(undefined, { status: 202 });
  const caller = {
    actor,
    client: getClientName(actor, findClientName(message), client.userAgent),
    invocation,
  };
  return createResult(id, await answer(message, era, caller));
};

const failed = (when: string) => ({ when, body: RpcError });

export const routes = [
  route({
    endpoint: 'POST /mcp',
    access: 'signed-in',
    authenticate: authenticateClient,
    scope: 'none',
    summary: 'Send an MCP message',
    description:
      'The Model Context Protocol for assistants, of the revisions 2026-07-28, 2025-11-25 and 2025-06-18: one JSON-RPC message a request, answered as JSON. Takes up to 4 MB. Credentials are a bearer token; cookies are not read. Each tool is an operation of this API, with its access, limits and errors.',
    body: z.union([RpcMessage, z.unknown()]),
    output: RpcResponse.optional(),
    accepted: 'For a notification.',
    errors: {
      VALIDATION_ERROR: failed(
        'The body is no JSON-RPC message, or its headers or version are wrong.',
      ),
      UNAUTHORIZED: failed('The access token is missing, invalid or expired.'),
      FORBIDDEN: failed(
        'A page of a foreign origin asks, the caller must verify the email address first, or a connected app lacks a scope, which `WWW-Authenticate` names.',
      ),
      NOT_FOUND: failed('The method doesn’t exist in the revision 2026-07-28.'),
      PAYLOAD_TOO_LARGE: failed('The message is larger than 4 MB.'),
      RATE_LIMITED: failed(
        'Too many requests: more than 120 per minute (`mcp`). Try again after `Retry-After` seconds.',
      ),
      INTERNAL_ERROR: failed('An unexpected error occurred.'),
      SERVICE_UNAVAILABLE: failed(
        'The service is temporarily unavailable. Try again after `Retry-After` seconds.',
      ),
    },
    // Each tool's route is audited.
    auditAction: 'none',
    limits: [{ ...mcpLimit, key: ({ actor }) => String(actor.user.id) }],
    failurePage: renderFailure,
    handle: async (request) => {
      try {
        return await handleMessage(request);
      } catch (error) {
        if (error instanceof ProtocolError) return createError(findId(request.body), error);
        throw error;
      }
    },
  }),
];
