import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import { send, startProcess, temporaryFolder } from '../run/process.ts';
import { openContext, openPage } from './open-page.ts';

const password = 'correct horse';

/** The super_admin of a console service. */
export const root = 'root@example.com';

/** Starts a service with a super_admin and these users, whose email addresses follow from their names. */
export const startConsole = async (
  browser: Browser,
  users: readonly Readonly<Record<string, unknown>>[],
) => {
  const { url, dynamoDbUrl, accessKey } = await startProcess({
    DATA_DIR: await temporaryFolder(),
    ADMIN_EMAIL: root,
    ADMIN_PASSWORD: password,
  });
  const signIn = async (email: string): Promise<string> =>
    (await send(`${url}/api/auth/login`, { method: 'POST', body: { email, password } })).body.token;
  const token = await signIn(root);
  for (const user of users) {
    const body = { email: `${user['name']}@example.com`.toLowerCase(), password, ...user };
    const made = await send(`${url}/api/users`, { method: 'POST', token, body });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
  }
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({ endpoint: dynamoDbUrl, region: 'eu-west-1', credentials: accessKey }),
  );
  return {
    url,
    /** Stores an item that no request creates. */
    store: async (Item: Readonly<Record<string, unknown>>) => {
      await client.send(new PutCommand({ TableName: 'handbill', Item }));
    },
    /** The access token of the super_admin. */
    token,
    signIn,
    /** Opens a page as a user, on a desk unless a size is given, in a time zone. */
    open: async (
      email: string,
      path: string,
      viewport = { width: 1440, height: 900 },
      timezoneId = 'UTC',
    ) => {
      const context = await openContext(browser, { viewport, timezoneId, acceptDownloads: true });
      await context.request.post(`${url}/api/auth/login`, {
        data: { email, password },
        headers: { origin: url },
      });
      return openPage(context, url + path);
    },
    /** Returns the user whom a search finds first. */
    find: async (name: string) => {
      const { body } = await send(`${url}/api/users?search=${name}&pageSize=5`, { token });
      return body.data.items[0];
    },
  };
};
