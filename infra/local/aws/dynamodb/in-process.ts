import * as sdk from '@aws-sdk/client-dynamodb';
import type { Operations } from '../host/in-process.ts';
import { itemOperations } from './operations/operations.ts';
import { isServiceError, type ServiceError } from './service-error.ts';
import type { Store } from './storage/store.ts';

/** The errors of the SDK, by name. */
const errorClasses = sdk as unknown as Readonly<
  Record<string, (new (options: object) => Error) | undefined>
>;

const toBytes = (base64: string): Uint8Array => new Uint8Array(Buffer.from(base64, 'base64'));

/** Converts binary values of a response from base64 to bytes, as the SDK does. */
const decodeBinary = (response: object): void => {
  for (const part of Object.values(response)) {
    // An attribute that is named as a type is an object.
    if (typeof part !== 'object' || typeof part?.S === 'string' || part === null) continue;
    if (typeof part.B === 'string') part.B = toBytes(part.B);
    else if (Array.isArray(part.BS)) part.BS = part.BS.map(toBytes);
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
