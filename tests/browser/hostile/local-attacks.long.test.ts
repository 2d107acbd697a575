// A page of another site that a developer visits while `npm start` runs: it reads and changes nothing.
// The same requests without a browser are in `local/attacks.slow.test.ts`.

import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { openContext } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { admin, startOwnService } from '../../support/run/fresh-service.ts';
import { send } from '../../support/run/process.ts';
import {
  type AttackedService,
  originsOf,
  startAttacked,
  withAddresses,
} from '../../support/service/attacked-service.ts';
import { type Attempts, attack, serveHostilePage } from './hostile-page.ts';

const eve = { email: 'eve@example.com', password: 'battery staple' };
/** JSON that is also a form with one field. */
const registration = JSON.stringify({ ...eve, confirmPassword: eve.password, name: 'Eve=' });

/** Credentials that attackers would guess. */
const guessed = { accessKeyId: 'local', secretAccessKey: 'local' };

/** An upload signed with these credentials. */
const forgedUpload = async (endpoint: string) =>
  createPresignedPost(
    new S3Client({ endpoint, region: 'us-east-1', credentials: guessed, forcePathStyle: true }),
    { Bucket: 'handbill-files', Key: 'planted.html', Fields: { 'content-type': 'text/html' } },
  );

const attemptsOn = async (service: AttackedService): Promise<Attempts> => {
  const { service: ready, snippets, DynamoDB, S3, email: mail } = service.addresses;
  const mailOrigin = new URL(mail).origin;
  const html = await (await fetch(`${ready}/login`)).text();
  const assets = [...html.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path]) => `${ready}${path}`);
  return {
    posts: [
      { url: `${ready}/api/auth/register`, body: registration },
      { url: `${ready}/api/auth/forgot-password`, body: `{"email":"${admin.email}","a":"="}` },
      { url: `${mailOrigin}/clear-store`, body: 'a=b' },
      { url: `${mail}/clear-store`, body: 'a=b' },
      { url: `${DynamoDB}/`, body: '{"TableName":"handbill","a":"="}' },
    ],
    uploads: [await forgedUpload(S3)],
    reads: [
      `${ready}/health`,
      `${ready}/api/openapi.json`,
      `${snippets}/`,
      `${DynamoDB}/`,
      `${S3}/handbill-files/`,
      `${mailOrigin}/`,
      `${mailOrigin}/store`,
      `${mail}/store`,
    ],
    parts: [...assets, `${mail}/store`, `${mailOrigin}/store`],
    sockets: originsOf(service).map((origin) => origin.replace('http:', 'ws:')),
  };
};

const forget = async ({ url }: AttackedService, email: string) => {
  const response = await send(`${url}/api/auth/forgot-password`, {
    method: 'POST',
    body: { email },
  });
  expect(response.status).toBe(200);
};

const recipients = async ({ addresses }: AttackedService): Promise<string[]> => {
  const { emails } = (await send(`${addresses.email}/store`)).body as {
    emails: { destination: { to: string[] } }[];
  };
  return emails.flatMap(({ destination }) => destination.to);
};

/** Returns the state that an attack would change. */
const stateOf = async (service: AttackedService) => {
  const { url, addresses, accessKey } = service;
  const options = { region: 'us-east-1', credentials: accessKey };
  const s3 = new S3Client({ ...options, endpoint: addresses.S3, forcePathStyle: true });
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: 'handbill-files' }));
  const login = await send(`${url}/api/auth/login`, { method: 'POST', body: eve });
  return {
    objects: Contents.map(({ Key }) => Key),
    login: login.status,
    mails: await recipients(service),
  };
};

describe.skipIf(!hasBrowser)('a page of another site', () => {
  it('reads and changes nothing from another port of any name of this machine', async () => {
    // Of its own, so that it has no other emails and objects.
    const service = withAddresses(await startOwnService());
    await forget(service, admin.email);
    await expect.poll(() => recipients(service)).toEqual([admin.email]);
    const page = await (await openContext(browser)).newPage();
    const port = await serveHostilePage();
    const attempts = await attemptsOn(service);
    for (const host of ['127.0.0.1', 'localhost', 'evil.localhost']) {
      await page.goto(`http://${host}:${port}/`);
      expect(await attack(page, attempts), host).toEqual([]);
    }

    const body = { email: 'bob@example.com', name: 'Bob', password: 'correct horse' };
    const registered = await send(`${service.url}/api/auth/register`, {
      method: 'POST',
      body: { ...body, confirmPassword: body.password },
    });
    expect(registered.status).toBe(201);
    await forget(service, body.email);
    // One to prove the address, one to choose a new password: after them, earlier jobs are done.
    const sent = [admin.email, body.email, body.email];
    await expect.poll(() => recipients(service)).toEqual(sent);
    expect(await stateOf(service)).toEqual({ objects: [], login: 401, mails: sent });
  });

  it('reaches no listener by a host name that resolves to this machine', async () => {
    const service = await startAttacked();
    const page = await (await openContext(browser)).newPage();
    for (const address of Object.values(service.addresses)) {
      const { port, pathname } = new URL(address);
      const url = `http://evil.localhost:${port}${pathname}`;
      const response = await page.goto(url);
      expect(response?.status(), url).toBe(421);
      const read = `fetch('/store').then((response) => response.status)`;
      expect(await page.evaluate(read), url).toBe(421);
    }
  });
});
