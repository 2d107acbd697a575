import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import { enqueue } from '../../functions/jobs/queue.ts';
import { documentClient, tableName } from '../../shared/dynamodb.ts';
import { keys } from '../../shared/table.ts';
import { call } from '../support/call.ts';
import {
  change,
  look,
  made,
  newAuthor,
  newManager,
  purge,
  share,
  trash,
} from '../support/documents.ts';
import { runMinute } from '../support/jobs.ts';
import { mailsTo } from '../support/mail.ts';
import { login, newEmail, newPerson, newUserOf, register } from '../support/people.ts';
import { content, sharesOf } from '../support/share-requests.ts';
import { frame, open, page, raw, tokenIn, view } from '../support/shares.ts';
import { pass } from '../support/virtual-time.ts';
import { deployment } from './deployment.ts';
import { runJobs } from './run-jobs.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** A text that no compression makes small enough for the table. */
const large = (): string => randomBytes(40_000).toString('base64');

/** Lets the minute's work take its turn, and then the jobs that it found. */
const runAll = async (): Promise<void> => {
  await runMinute();
  await runJobs();
};

const root = join(import.meta.dirname, '../..');

/** Ways through the service that no typical call of one route takes. */
export const flows: Readonly<Record<string, () => Promise<void>>> = {
  'the lines of the README': async () => {
    const readme = await readFile(join(root, 'README.md'), 'utf8');
    const lines = readme.match(/## Try it\n[\s\S]*?```sh\n([\s\S]*?)```/)?.[1] ?? '';
    const cwd = await mkdtemp(join(tmpdir(), 'handbill-'));
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', lines], {
      cwd,
      env: { PATH: process.env['PATH'], HANDBILL_URL: deployment().origins.service },
    });
    await rm(cwd, { recursive: true });
    expect(stdout).toContain('>Hello<');
    expect(stdout).toContain('<p>Some <em>Markdown</em></p>');
    expect(stdout).toMatch(/"success":true,"points":\d\d,/);
  },
  'a document that lies in the bucket, until it is gone': async () => {
    const ann = await newAuthor();
    const text = large();
    const id = await made(ann, { content: text });
    expect((await look(ann, id)).body.data.content).toBe(text);
    expect((await change(ann, id, { content: large() })).status).toBe(200);
    await trash(ann, id);
    expect((await purge(ann, id)).status).toBe(200);
    pass(2 * dayMs);
    await runAll();
  },
  'a share that lies in the bucket, by its API, its page and its frame': async () => {
    const ann = sharesOf(await newPerson());
    const text = `<p>${large()}</p>`;
    const id = await ann.newShare({ content: text });
    expect((await view(id)).body.content).toBe(text);
    expect((await page(id)).status).toBe(200);
    expect((await raw(id)).body).toBe(text);
    expect((await frame(id)).body).toContain(text);
    expect((await ann.put(id, { content: `<p>${large()}</p>` })).status).toBe(200);
    expect((await ann.remove(id)).status).toBe(200);
    pass(2 * dayMs);
    await runAll();
  },
  'the last view of a share, and its end': async () => {
    const ann = sharesOf(await newPerson());
    const id = await ann.newShare({ viewLimit: 2, password: 'Sesam1' });
    const opened = await open(id, { password: 'Sesam1' });
    const token = tokenIn(opened);
    expect((await page(id, token)).status).toBe(200);
    expect((await frame(id, token)).body).toContain(content);
    expect((await view(id, 'Sesam1')).status).toBe(200);
    pass(10 * minuteMs);
    await runAll();
    expect((await view(id, 'Sesam1')).status).toBe(410);
    pass(100 * dayMs);
    await runAll();
  },
  'a view of a page, counted by a job': async () => {
    const ann = sharesOf(await newPerson());
    const id = await ann.newShare();
    await page(id);
    await runJobs();
    expect((await ann.look(id)).body.views).toBe(1);
  },
  'a report, told to those who decide': async () => {
    const ann = sharesOf(await newPerson());
    expect((await ann.report(await ann.newShare())).status).toBe(201);
    pass(2 * minuteMs);
    await runAll();
  },
  'a document that was shared, told to its readers': async () => {
    const ann = await newAuthor();
    await share(ann, await made(ann), [(await newPerson()).id]);
    pass(2 * minuteMs);
    await runAll();
  },
  'a document that was in the trash for too long': async () => {
    const ann = await newAuthor();
    await trash(ann, await made(ann, { content: large() }));
    pass(31 * dayMs);
    await runAll();
    pass(2 * dayMs);
    await runAll();
  },
  'mails: an invitation, and a link to a new password': async () => {
    const { token } = await newManager();
    const email = newEmail();
    const made = await call('POST /api/users', { token, body: { email, name: 'Zoe Example' } });
    expect(made.status).toBe(201);
    const person = await newPerson();
    await call('POST /api/auth/forgot-password', { body: { email: person.email } });
    await runJobs();
    expect(await mailsTo(email)).toHaveLength(1);
    expect(await mailsTo(person.email)).toHaveLength(1);
  },
  'an invitation without mail': async () => {
    const { token } = await newManager();
    const users = deployment().processes.get('users');
    await users?.restart({ without: ['MAIL_FROM'] });
    const body = { email: newEmail(), name: 'Zoe Example' };
    const made = await call('POST /api/users', { token, body });
    await users?.restart();
    expect(made.body.invitationUrl ?? JSON.stringify(made.body)).toContain('/invite?token=');
  },
  'a user who is removed, and whose shares and documents go to another': async () => {
    const { token } = await newUserOf('super_admin');
    const ann = await newAuthor();
    await made(ann, { content: large() });
    await sharesOf(ann).newShare();
    const query = { transferTo: String((await newAuthor()).id) };
    const params = { id: String(ann.id) };
    expect((await call('DELETE /api/users/{id}', { token, params, query })).status).toBe(200);
    pass(15 * minuteMs);
    await runAll();
  },
  'what removed users have left, done by jobs': async () => {
    for (const transferTo of [undefined, (await newPerson()).id]) {
      const bob = await newAuthor();
      await made(bob);
      await sharesOf(bob).newShare();
      // As if the request that removed the user had broken off.
      const command = new DeleteCommand({ TableName: tableName(), Key: keys.user(bob.id) });
      await documentClient().send(command);
      await enqueue('settle-user', { userId: bob.id, transferTo });
      await runJobs();
    }
  },
  'a user who is suspended, and may come back': async () => {
    const { token } = await newUserOf('super_admin');
    const ann = await newPerson();
    await sharesOf(ann).newShare();
    const params = { id: String(ann.id) };
    for (const status of ['suspended', 'active']) {
      const answer = await call('PUT /api/users/{id}', { token, params, body: { status } });
      expect(answer.status).toBe(200);
    }
    pass(15 * minuteMs);
    await runAll();
  },
  'another e-mail address of one’s own': async () => {
    const { token } = await newPerson();
    const body = { email: newEmail(), currentPassword: 'correct horse' };
    expect((await call('PUT /api/users/me', { token, body })).status).toBe(200);
  },
  'who has no account, and who gives a wrong password': async () => {
    const { email } = await newPerson();
    const body = { email, password: 'wrong horse' };
    expect((await call('POST /api/auth/login', { body })).status).toBe(401);
    expect((await login(newEmail())).status).toBe(401);
    expect((await register(email)).status).toBe(409);
  },
  'what is no route': async () => {
    for (const origin of Object.values(deployment().origins)) {
      expect((await fetch(`${origin}/no/such/thing`)).status).toBe(404);
    }
    const { origins } = deployment();
    expect((await fetch(`${origins.service}/api/auth/me`, { method: 'PATCH' })).status).toBe(405);
  },
};
