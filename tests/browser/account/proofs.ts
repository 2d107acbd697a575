import { ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Page } from 'playwright-core';
import { schema } from '../../../shared/db/key.ts';
import { connectToTable } from '../../support/run/fresh-service.ts';

/** Returns the key that the dialog of an authenticator app shows. */
export const readSecret = async (page: Page): Promise<string> =>
  (await page.locator('.keyline > span').innerText()).replaceAll(' ', '');

/** Lets all sign-ins and proofs of a service be an hour old, so that it asks for another proof. */
export const ageProofs = async (service: Parameters<typeof connectToTable>[0]): Promise<void> => {
  const client = connectToTable(service);
  const TableName = 'handbill';
  const { Items = [] } = await client.send(new ScanCommand({ TableName }));
  const old = new Date(Date.now() - 3_600_000).toISOString();
  for (const item of Items) {
    if (!String(item[schema.sortKey]).startsWith('SESSION#')) continue;
    await client.send(
      new UpdateCommand({
        TableName,
        Key: {
          [schema.partitionKey]: item[schema.partitionKey],
          [schema.sortKey]: item[schema.sortKey],
        },
        UpdateExpression: 'SET createdAt = :old REMOVE provenAt',
        ExpressionAttributeValues: { ':old': old },
      }),
    );
  }
  client.destroy();
};
