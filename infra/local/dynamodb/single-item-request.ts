import {
  type FieldTypes,
  getAction,
  getRules,
  type RequestData,
  type RequestRules,
  rules,
} from './dynalite.ts';
import { RequestStore, settings } from './request-store.ts';
import { hasType, isServiceError, requestError } from './service-error.ts';
import type { Store } from './store.ts';

/** The field that dynalite does not support. */
export const returnOnFailure: FieldTypes = {
  ReturnValuesOnConditionCheckFailure: { type: 'String', enum: ['ALL_OLD', 'NONE'] },
};

const CONDITIONAL = new Set(['PutItem', 'UpdateItem', 'DeleteItem']);

/** Checks a request and returns its parsed data. Throws an error response. */
export const check = ({ types, custom }: RequestRules, body: object): RequestData => {
  try {
    const data = rules.checkTypes(body, types);
    rules.checkValidations(data, types, custom, settings);
    return data;
  } catch (error) {
    if (isServiceError(error)) throw error;
    // dynalite's rules fail for values that AWS's parser rejects, such as null for a map.
    throw Object.assign(requestError(400, 'SerializationException', 'The request is malformed'), {
      cause: error,
    });
  }
};

/** Creates an operation that behaves as in dynalite, and can return the item of a failed condition. */
export const parseSingleItemRequest = (operation: string) => {
  const action = getAction(operation);
  const known = getRules(operation);
  const conditional = CONDITIONAL.has(operation);
  const rulesHere = conditional
    ? { ...known, types: { ...known.types, ...returnOnFailure } }
    : known;
  const multipleReads = operation === 'BatchGetItem';

  return async (store: Store, body: object): Promise<object> => {
    const data = check(rulesHere, body);
    // A response shows one state, never half a transaction.
    const snapshot = multipleReads ? store.level.snapshot() : undefined;
    const request = new RequestStore(store, snapshot && { snapshot });
    try {
      return await request.run(action, data);
    } catch (error) {
      const wanted = data['ReturnValuesOnConditionCheckFailure'] === 'ALL_OLD';
      if (wanted && request.item && hasType(error, 'ConditionalCheckFailedException')) {
        error.body['Item'] = request.item;
      }
      throw error;
    } finally {
      await snapshot?.close();
    }
  };
};
