import { expect } from 'vitest';
import { pass } from '../../../support/run/virtual-time.ts';
import { call } from '../../../support/service/call.ts';
import { mailsTo } from '../../../support/service/mail.ts';
import { askCode, enterCode, proofsIn } from '../../../support/shares/codes.ts';
import { uploaded } from '../../../support/shares/files.ts';
import { receivedOf } from '../../../support/shares/received.ts';
import {
  content,
  endAsReader,
  linksOf,
  report,
  reportByPage,
  sharesOf,
} from '../../../support/shares/requests.ts';
import {
  newSeal,
  sealedBody,
  sealFiles,
  sealText,
  unseal,
} from '../../../support/shares/sealed.ts';
import { frame, open, page, raw, tokenIn, view } from '../../../support/shares/shares.ts';
import { newEmail, newPerson } from '../../../support/users/test-users.ts';
import { runJobs } from '../run-jobs.ts';
import { dayMs, type Flows, large, minuteMs, runAll } from './flow.ts';

export const shareFlows: Flows = {
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
  'a share that is one picture, by its page and its source': async () => {
    const { token } = await newPerson();
    const picture = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
    const headers = { 'content-type': 'image/png' };
    const { id } = (await call('POST /api/share', { token, body: picture, headers })).body;
    expect((await page(id)).status).toBe(200);
    expect(Buffer.from((await raw(id)).body, 'base64')).toEqual(picture);
  },
  'a sealed share with a file, and a new envelope of it': async () => {
    const person = await newPerson();
    const ann = sharesOf(person);
    const seal = await newSeal();
    const { named, sent } = await sealFiles(seal, { 'safe.txt': 'Behind the picture' });
    const upload = await uploaded(person.token, sent);
    const text = await sealText(seal, 'See the file', named);
    const id = await ann.newShare(await sealedBody(seal, { content: text, upload }));
    expect((await unseal(id)).status).toBe(401);
    expect((await unseal(id, { proof: seal.proof, claim: 'of-a-page' })).body.content).toBe(text);
    expect((await page(id)).body).toContain('sealed');
    expect((await raw(id)).status).toBe(422);
    expect((await ann.put(id, { content: await sealText(seal, 'Other', named) })).status).toBe(200);
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
  'the first view of a share on its page, which ends it': async () => {
    const ann = sharesOf(await newPerson());
    const id = await ann.newShare({ viewLimit: 1, notify: true });
    expect((await open(id)).status).toBe(303);
    await runJobs();
    expect((await view(id)).status).toBe(410);
  },
  'a share with a name, by its API and its page': async () => {
    const ann = sharesOf(await newPerson());
    const slug = 'the-menu';
    const id = await ann.newShare({ slug });
    expect((await view(slug)).body.content).toBe(content);
    expect((await page(slug)).status).toBe(200);
    expect((await ann.put(id, { slug: 'the-card' })).status).toBe(200);
    expect((await ann.remove(id)).status).toBe(200);
  },
  'a recipient link, by its API, its page and its frame': async () => {
    const person = await newPerson();
    const ann = { ...sharesOf(person), ...linksOf(person) };
    const id = await ann.newShare({ notify: true, readersCanEnd: true, audience: 'private' });
    const [mei, luca] = [(await ann.addLink(id)).body, (await ann.addLink(id)).body];
    expect((await page(mei.id)).status).toBe(200);
    const token = tokenIn(await open(mei.id));
    const shown = await page(mei.id, token);
    expect((await raw(mei.id, token)).body).toBe(content);
    expect((await frame(mei.id, token)).body).toContain(content);
    expect((await view(luca.id)).body.content).toBe(content);
    await runJobs();
    expect((await ann.links(id)).body.items).toMatchObject([{ views: 1 }, { views: 1 }]);
    expect((await report(mei.id)).status).toBe(201);
    expect((await reportByPage(mei.id)).status).toBe(303);
    expect((await ann.revokeLink(id, luca.id)).status).toBe(200);
    const end = /\/end\?token=([\w.-]+)/.exec(String(shown.body))?.[1];
    expect((await endAsReader(mei.id, end)).status).toBe(303);
    pass(100 * dayMs);
    await runAll();
    expect((await page(mei.id)).status).toBe(404);
  },
  'a recipient link by email, which asks for a code': async () => {
    const person = await newPerson();
    const ann = { ...sharesOf(person), ...linksOf(person) };
    const id = await ann.newShare({ audience: 'private' });
    const [email, other] = [newEmail(), newEmail()];
    const { body: link } = await ann.addLink(id, { email, send: true, verify: true });
    expect((await page(link.id)).status).toBe(401);
    expect((await ann.changeLink(id, link.id, { email: other })).status).toBe(200);
    pass(minuteMs);
    expect((await ann.sendLink(id, link.id)).status).toBe(200);
    await runAll();
    expect((await askCode(link.id)).status).toBe(303);
    await runJobs();
    const code = (await mailsTo(other)).map(({ text }) => /^\d{6}$/m.exec(text)?.[0]).at(-1) ?? '';
    const cookies = proofsIn(await enterCode(link.id, code));
    const opened = await call('GET /s/{id}', { params: { id: link.id }, cookies });
    expect(opened.status).toBe(200);
    expect((await ann.receipts(id)).body.links).toMatchObject([{ email: other }]);
  },
  'a view of a page, counted by a job': async () => {
    const ann = sharesOf(await newPerson());
    const id = await ann.newShare();
    await page(id);
    await runJobs();
    expect((await ann.look(id)).body.views).toBe(1);
  },
  'a share for readers, in their lists until it is deleted': async () => {
    const [owner, reader] = [await newPerson(), await newPerson()];
    const [ann, his] = [sharesOf(owner), receivedOf(reader)];
    const id = await ann.newShare({ title: 'Named', readers: [reader.id] });
    const later = await ann.newShare({ title: 'Later', readers: [reader.id] });
    await runAll();
    expect((await his.titles()).toSorted()).toEqual(['Later', 'Named']);
    expect((await his.see()).status).toBe(200);
    expect((await his.unlist(later)).status).toBe(200);
    expect((await ann.put(id, { audience: 'private' })).status).toBe(200);
    expect((await ann.remove(later)).status).toBe(200);
    await runAll();
    expect(await his.titles()).toEqual([]);
  },
  'a report, told to those who decide': async () => {
    const ann = sharesOf(await newPerson());
    expect((await ann.report(await ann.newShare())).status).toBe(201);
    pass(2 * minuteMs);
    await runAll();
  },
};
