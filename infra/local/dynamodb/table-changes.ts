import { getAction, getRules, type RequestData, type Table } from './dynalite.ts';
import { RequestStore } from './request-store.ts';
import { tableNotFound } from './service-error.ts';
import { check } from './single-item-request.ts';
import { prefixes, type Store } from './store.ts';

const getLock = ({ TableName }: RequestData): string[] => [prefixes.table + TableName];

/** Creates the operation CreateTable or UpdateTable, which responds after the table has changed. */
export const changeTable = (operation: 'CreateTable' | 'UpdateTable') => {
  const action = getAction(operation);
  const rules = getRules(operation);

  return async (store: Store, body: object): Promise<object> => {
    const data = check(rules, body);
    return store.locks.hold(getLock(data), async () => {
      const name = String(data['TableName']);
      // A crash during a deletion leaves items behind.
      if (!store.table(name)) await store.clearTable(name);
      const request = new RequestStore(store);
      // The action later changes its result from CREATING to ACTIVE.
      const result = structuredClone(await request.run(action, data));
      await request.tableStored;
      return result;
    });
  };
};

const deleteTableRules = getRules('DeleteTable');

/** Performs DeleteTable. dynalite's version reads the whole store and can leave a table half deleted. */
export const deleteTable = async (store: Store, body: object): Promise<object> => {
  const data = check(deleteTableRules, body);
  return store.locks.hold(getLock(data), async () => {
    const name = String(data['TableName']);
    const table = store.table(name);
    if (!table) throw tableNotFound(name);
    await store.deleteTable(name);
    await store.clearTable(name);
    return { TableDescription: { ...table, TableStatus: 'DELETING' } satisfies Table };
  });
};
