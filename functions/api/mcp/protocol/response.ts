import * as z from 'zod';
import { Reply } from '../../../../shared/http/reply.ts';
import type { PublicError } from '../../../../shared/http/route.ts';
import type { Fields, Message } from './message.ts';
import { errorCodes, type ProtocolError } from './protocol-error.ts';

const Id = z.union([z.string(), z.int()]);

const jsonrpc = z.literal('2.0').meta({ description: 'The version of JSON-RPC.' });

/** A request or a notification. */
export const RpcMessage = z
  .object({
    jsonrpc,
    id: Id.optional().meta({ description: 'Left out in notifications, which get no result.' }),
    method: z.string().meta({ description: 'The method, such as `tools/call`.' }),
    params: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: 'The parameters of the method.' }),
  })
  .meta({
    id: 'RpcMessage',
    examples: [{ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }],
  });

/** An error in the place of a result. */
export const RpcError = z
  .object({
    jsonrpc,
    id: Id.optional().meta({ description: 'Left out if the message has none that can be read.' }),
    error: z.object({
      code: z.int().meta({
        description:
          'A code of JSON-RPC or the Model Context Protocol. For what is refused before the message is read, the HTTP status.',
      }),
      message: z.string(),
      data: z
        .record(z.string(), z.unknown())
        .optional()
        .meta({ description: 'Details, such as the supported versions.' }),
    }),
  })
  .meta({
    id: 'RpcError',
    examples: [
      {
        jsonrpc: '2.0',
        id: 1,
        error: { code: errorCodes.methodNotFound, message: 'Method not found.' },
      },
    ],
  });

const RpcResult = z
  .object({
    jsonrpc,
    id: Id,
    result: z.record(z.string(), z.unknown()).meta({ description: 'What the method returns.' }),
  })
  .meta({ id: 'RpcResult', examples: [{ jsonrpc: '2.0', id: 1, result: { tools: [] } }] });

/** What a message gets with status 200: an error, too, if its method has failed. */
export const RpcResponse = z.union([RpcResult, RpcError]).meta({ id: 'RpcResponse' });

/** Creates the response to a request. */
export const createResult = (id: Message['id'], result: Fields) => ({
  jsonrpc: '2.0' as const,
  id: id as string | number,
  result,
});

/** Creates the response to a message that is refused or has failed. */
export const createError = (
  id: Message['id'],
  { code, message, status, data, headers }: ProtocolError,
): Reply<z.input<typeof RpcError>> =>
  new Reply(
    {
      jsonrpc: '2.0',
      ...(id !== undefined && { id }),
      error: { code, message, ...(data && { data }) },
    },
    { status, headers },
  );

/** No route's input can be invalid before its message is parsed but the JSON itself. */
const getCode = ({ code, status }: PublicError): number => {
  if (code === 'VALIDATION_ERROR') return errorCodes.parseError;
  return status < 500 ? status : errorCodes.internalError;
};

/** Renders what is refused before a message is read, such as credentials, and what has failed unexpectedly. */
export const renderFailure = (failure: PublicError): Reply<string> => {
  const { code, requestId } = failure;
  const message =
    code === 'VALIDATION_ERROR'
      ? 'Parse error: the body must be valid JSON in UTF-8.'
      : failure.message;
  const error = { code: getCode(failure), message, data: { code, requestId } };
  return new Reply(JSON.stringify({ jsonrpc: '2.0', error }), {
    headers: { 'content-type': 'application/json; charset=utf-8' },
  });
};
