import { getRules } from './dynalite.ts';
import { tableNotFound, validationError } from './service-error.ts';
import { check } from './single-item-request.ts';
import { prefixes, type Store } from './store.ts';
import { requireField, requireStructure } from './transact-items.ts';

interface Specification {
  AttributeName: string;
  Enabled: boolean;
}

const describeRules = getRules('DescribeTimeToLive');
const updateRules = {
  types: {
    ...describeRules.types,
    TimeToLiveSpecification: requireField(
      requireStructure('TimeToLiveSpecification', {
        AttributeName: {
          type: 'String',
          notNull: true,
          lengthGreaterThanOrEqual: 1,
          lengthLessThanOrEqual: 255,
        },
        Enabled: { type: 'Boolean', notNull: true },
      }),
    ),
  },
};

const getAttribute = (store: Store, table: string): string | undefined =>
  store.get(prefixes.timeToLive + table) as string | undefined;

const existingTable = (store: Store, data: Record<string, unknown>): string => {
  const name = String(data['TableName']);
  if (!store.table(name)) throw tableNotFound(name);
  return name;
};

/** Performs DescribeTimeToLive. */
export const describeTimeToLive = async (store: Store, body: object): Promise<object> => {
  const table = existingTable(store, check(describeRules, body));
  const attribute = getAttribute(store, table);
  return {
    TimeToLiveDescription: attribute
      ? { TimeToLiveStatus: 'ENABLED', AttributeName: attribute }
      : { TimeToLiveStatus: 'DISABLED' },
  };
};

/** Performs UpdateTimeToLive, which takes effect immediately. */
export const updateTimeToLive = async (store: Store, body: object): Promise<object> => {
  const data = check(updateRules, body);
  const table = existingTable(store, data);
  const specification = data['TimeToLiveSpecification'] as Specification;
  const key = prefixes.timeToLive + table;
  return store.locks.hold([key], async () => {
    const present = getAttribute(store, table);
    const { AttributeName, Enabled } = specification;
    if (Enabled === (present !== undefined)) {
      throw validationError(`TimeToLive is already ${Enabled ? 'enabled' : 'disabled'}`);
    }
    if (present !== undefined && present !== AttributeName) {
      throw validationError(
        `TimeToLive is active on a different AttributeName: current AttributeName is ${present}`,
      );
    }
    await store.write([
      Enabled ? { type: 'put', key, value: AttributeName } : { type: 'del', key },
    ]);
    return { TimeToLiveSpecification: specification };
  });
};
