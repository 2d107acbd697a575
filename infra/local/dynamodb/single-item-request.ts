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

/** The field that dynalite does not know. */
export const returnOnFailure: FieldTypes = {
  ReturnValuesOnConditionCheckFailure: { type: 'String', enum: ['ALL_OLD', 'NONE'] },
};

const CONDITIONAL = new Set(['PutItem', 'UpdateItem', 'DeleteItem']);

/** Checks a request and returns what the rules know of it. Throws the error to answer with. */
export const check = ({ types, custom }: RequestRules, body: object): RequestData => {
  try {
    const data = rules.checkTypes(body, types);
    rules.checkValidations(data, types, custom, settings);
    return data;
  } catch (error) {
    if (isServiceError(error)) throw error;
    // dynalite's rules stumble over values that AWS's parser refuses, such as null for a map.
    throw Object.assign(requestError(400, 'SerializationException', 'The request is malformed'), {
      cause: error,
    });
  }
};

/** Answers an operation as dynalite does, with the item of a failed condition when asked for. */
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
    // The items of one answer are those of one moment, never half a transaction.
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
