import * as sdk from '@aws-sdk/client-dynamodb';
import type { Operations } from '../host/in-process.ts';
import { itemOperations } from './operations/operations.ts';
import { isServiceError, type ServiceError } from './service-error.ts';
import type { Store } from './storage/store.ts';

/** The errors of the SDK, by name. */
const errorClasses = sdk as unknown as Readonly<
  Record<string, (new (options: object) => Error) | undefined>
>;

/** Converts binary values of a response from base64 to bytes, as the SDK does. */
const decodeBinary = (value: unknown): void => {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return;
  for (const [name, part] of Object.entries(value)) {
    const decoded =
      name === 'B' && typeof part === 'string'
        ? new Uint8Array(Buffer.from(part, 'base64'))
        : name === 'BS' && Array.isArray(part)
          ? part.map((one) => new Uint8Array(Buffer.from(one, 'base64')))
          : undefined;
    if (decoded) Object.assign(value, { [name]: decoded });
    else decodeBinary(part);
  }
};

/** Creates the error that the SDK throws for this response. */
const toSdkError = ({ body, message, statusCode: httpStatusCode }: ServiceError): Error => {
  const { message: _, Message: __, ...fields } = body;
  const name = body.__type.split('#')[1] ?? body.__type;
  decodeBinary(fields);
  const Class = errorClasses[name] ?? sdk.DynamoDBServiceException;
  const $metadata = { httpStatusCode, attempts: 1, totalRetryDelay: 0 };
  const error = new Class({ ...fields, $metadata, name, message, $fault: 'client' });
  return Object.assign(error, { __type: body.__type });
};

/** Returns the operations on items for clients of this process. Other operations take the endpoint. */
export const createItemOperations = (store: Store): Operations =>
  Object.fromEntries(
    Array.from(itemOperations, ([name, perform]) => [
      `${name}Command`,
      async (input: object) => {
        try {
          const output = await perform(store, input);
          decodeBinary(output);
          return output;
        } catch (error) {
          throw isServiceError(error) ? toSdkError(error) : error;
        }
      },
    ]),
  );
