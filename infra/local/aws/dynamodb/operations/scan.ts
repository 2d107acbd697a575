import { bindExpressions } from '../expressions/bind.ts';
import { itemFields } from '../requests/fields.ts';
import { assertFields } from '../requests/rules.ts';
import type { Store } from '../storage/store.ts';
import { findSource, type PageFields, readPage, readRequest } from './read-page.ts';

export const scan = (store: Store, given: object): Promise<object> => {
  assertFields(itemFields.Scan, given);
  const fields = given as PageFields;
  const names = ['ProjectionExpression', 'FilterExpression'] as const;
  const request = readRequest(fields, bindExpressions(fields, names));
  return store.database.read(() =>
    readPage(store, request, findSource(store, request), {
      hash: undefined,
      range: undefined,
      isReverse: false,
    }),
  );
};
