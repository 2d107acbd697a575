import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import {
  admin,
  connectToTable,
  type FreshService,
  startFreshService,
} from '../run/fresh-service.ts';
import { send } from '../run/process.ts';
import { openContext, openPage } from './open-page.ts';

const { password } = admin;

/** The super_admin of a console service. */
export const root = admin.email;

/** Starts a service with a super_admin and these users, whose email addresses follow from their names. */
export const startConsole = async (
  browser: Browser,
  users: readonly Readonly<Record<string, unknown>>[],
  start: () => Promise<FreshService> = startFreshService,
) => {
  const service = await start();
  const { url } = service;
  const signIn = async (email: string): Promise<string> =>
    (await send(`${url}/api/auth/login`, { method: 'POST', body: { email, password } })).body.token;
  const token = await signIn(root);
  for (const user of users) {
    const body = { email: `${user['name']}@example.com`.toLowerCase(), password, ...user };
    const made = await send(`${url}/api/users`, { method: 'POST', token, body });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
  }
  const client = connectToTable(service);
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
