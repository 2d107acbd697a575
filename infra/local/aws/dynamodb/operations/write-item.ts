import { resolvePath } from '../expressions/operands.ts';
import { projectItem, toProjection } from '../expressions/projection.ts';
import { itemFields } from '../requests/fields.ts';
import { assertFields } from '../requests/rules.ts';
import { validationError } from '../service-error.ts';
import type { Store } from '../storage/store.ts';
import type { Item } from '../values/attribute-value.ts';
import { consumedCapacity } from './capacity.ts';
import {
  type Change,
  type ItemWrite,
  performWrite,
  readWrite,
  type WriteFields,
} from './item-write.ts';

interface Body extends WriteFields {
  readonly ReturnValues?: string;
  readonly ReturnConsumedCapacity?: string;
}

const pickUpdated = ({ actions, bindings }: ItemWrite, item: Item | undefined): Item | undefined =>
  item && projectItem(item, toProjection(actions.map(({ path }) => resolvePath(path, bindings))));

/** Returns the attributes that ReturnValues selects. */
const selectAttributes = (
  wanted: string,
  write: ItemWrite,
  { before, after }: Change,
): Item | undefined => {
  switch (wanted) {
    case 'ALL_OLD':
      return before?.item;
    case 'ALL_NEW':
      return after;
    case 'UPDATED_OLD':
      return pickUpdated(write, before?.item);
    case 'UPDATED_NEW':
      return pickUpdated(write, after);
    default:
      return undefined;
  }
};

const createOperation =
  (kind: 'Put' | 'Update' | 'Delete') =>
  (store: Store, given: object): Promise<object> => {
    assertFields(itemFields[`${kind}Item`], given);
    const body = given as Body;
    const { ReturnValues = 'NONE' } = body;
    if (kind !== 'Update' && ReturnValues !== 'NONE' && ReturnValues !== 'ALL_OLD') {
      throw validationError('ReturnValues can only be ALL_OLD or NONE');
    }
    const write = readWrite(kind, body);
    return store.database.write(() => {
      const { change, units } = performWrite(store, write);
      const attributes = selectAttributes(ReturnValues, write, change);
      return {
        ...(attributes && Object.keys(attributes).length > 0 && { Attributes: attributes }),
        ...consumedCapacity(body.ReturnConsumedCapacity, units),
      };
    });
  };

export const putItem = createOperation('Put');
export const updateItem = createOperation('Update');
export const deleteItem = createOperation('Delete');
