import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import { password, planted } from './values.ts';

/** Returns a field of the table that a client planted, or a password stored as plain text. */
export const findPlanted = async (): Promise<string | undefined> => {
  const pages = paginateScan({ client: documentClient() }, { TableName: tableName() });
  for await (const { Items = [] } of pages) {
    for (const item of Items) {
      const text = JSON.stringify(item);
      if (text.includes(planted.text)) return `holds a planted field: ${text.slice(0, 300)}`;
      if (text.includes(password)) return `holds a password: ${text.slice(0, 200)}`;
    }
  }
  return undefined;
};
