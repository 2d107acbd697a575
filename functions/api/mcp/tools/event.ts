import type { Context } from 'aws-lambda';
import type { Event } from '../../../../shared/http/http.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import type { BuiltTool } from './built-tool.ts';
import type { ToolRequest } from './inputs.ts';

/** Fills in the parameters of a path. @throws AppError NOT_FOUND for a value that would be another path */
const toPath = (template: string, values: ToolRequest['path']): string =>
  template.replace(/\{(\w+)(\+?)\}/g, (_, name: string, isRest: string) => {
    const value = values[name] ?? '';
    if (isRest === '' && (value === '' || value.includes('/'))) {
      throw new AppError('NOT_FOUND', 'Not found.');
    }
    return value;
  });

/** So that a client’s keys for the API and those of its tools are apart. */
const toIdempotencyKey = (requestId: string): string => `tool:${requestId}`;

/**
 * Creates the event of a tool's request, as the gateway would send it. It comes from where the call does.
 * @throws AppError NOT_FOUND for a parameter that can't be in a path
 */
export const toEvent = (
  { method, path }: Pick<BuiltTool, 'method' | 'path'>,
  { path: params, query, body, version, requestId }: ToolRequest,
  outer: Event,
): Event => {
  const rawPath = toPath(path, params);
  const routeKey = `${method} ${path}`;
  const { host, 'user-agent': userAgent } = outer.headers;
  return {
    version: '2.0',
    routeKey,
    rawPath,
    rawQueryString: new URLSearchParams(query).toString(),
    headers: {
      'content-type': 'application/json',
      'accept-encoding': 'gzip',
      ...(host !== undefined && { host }),
      ...(userAgent !== undefined && { 'user-agent': userAgent }),
      ...(version !== undefined && { 'if-match': `"${version}"` }),
      ...(requestId !== undefined && { 'idempotency-key': toIdempotencyKey(requestId) }),
    },
    queryStringParameters: query,
    requestContext: {
      ...outer.requestContext,
      routeKey,
      http: { ...outer.requestContext.http, method, path: rawPath },
    },
    ...(method !== 'GET' && { body: JSON.stringify(body) }),
    isBase64Encoded: false,
  };
};

/** Returns Lambda's context without what the door's own handler has noted in it. */
export const toContext = (outer: Context): Context => ({
  awsRequestId: outer.awsRequestId,
  callbackWaitsForEmptyEventLoop: outer.callbackWaitsForEmptyEventLoop,
  functionName: outer.functionName,
  functionVersion: outer.functionVersion,
  invokedFunctionArn: outer.invokedFunctionArn,
  logGroupName: outer.logGroupName,
  logStreamName: outer.logStreamName,
  memoryLimitInMB: outer.memoryLimitInMB,
  getRemainingTimeInMillis: () => outer.getRemainingTimeInMillis(),
  done: () => undefined,
  fail: () => undefined,
  succeed: () => undefined,
});
