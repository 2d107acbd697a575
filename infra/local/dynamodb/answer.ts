import { type Operation, operations } from './operations.ts';
import { dynamoDbError, isServiceError, requestError } from './service-error.ts';
import type { Store } from './store.ts';

/** A response of the engine: its status and its body, which is JSON. */
export interface EngineResponse {
  readonly status: number;
  readonly text: string;
}

const parseBody = (text: string): object => {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  } catch {}
  throw requestError(400, 'SerializationException', 'The request is not a JSON object');
};

const getOperation = (target: string): Operation => {
  const [version, name = ''] = target.split('.');
  const operation = version === 'DynamoDB_20120810' ? operations.get(name) : undefined;
  if (operation) return operation;
  throw requestError(400, 'UnknownOperationException', `Unknown operation ${name}`);
};

/** Returns the response for an error. */
export const refusal = (error: unknown): EngineResponse => {
  if (isServiceError(error)) return { status: error.statusCode, text: JSON.stringify(error.body) };
  const { body } = dynamoDbError('InternalServerError', `The local engine failed: ${error}`);
  return { status: 500, text: JSON.stringify(body) };
};

/**
 * Performs the operation that `target` names, e.g. `DynamoDB_20120810.GetItem`, with a body of JSON. Returns every
 * error
 * as a response.
 */
export const perform = async (
  store: Store,
  target: string,
  text: string,
): Promise<EngineResponse> => {
  try {
    const response = await getOperation(target)(store, parseBody(text));
    return { status: 200, text: JSON.stringify(response) };
  } catch (error) {
    return refusal(error);
  }
};
