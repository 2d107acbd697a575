import { reconcileReaders } from '../../../functions/api/share/received/reconcile.ts';
import diagramManifest from '../../../functions/web/snippet/built/diagram-manifest.json' with {
  type: 'json',
};
import { pass } from '../run/virtual-time.ts';
import { call } from '../service/call.ts';
import { whileMailIsOn } from '../service/mail.ts';
import { askCode, enterCode, plantCode } from '../shares/codes.ts';
import { words } from '../shares/contents.ts';
import { receivedOf } from '../shares/received.ts';
import {
  endAsReader,
  linksOf,
  report,
  reportByPage,
  revisionsOf,
  sharesOf,
} from '../shares/requests.ts';
import { frame, open, page, raw, view } from '../shares/shares.ts';
import { addFiles } from '../shares/with-files.ts';
import type { Person } from '../users/test-users.ts';
import { moreThanAPage, newUser, type TypicalCalls } from './sample-request.ts';

/** After this time the rate limit for new shares is full again. */
const limitMs = 10 * 60_000;

/** Creates a user with a share created earlier. */
const newShare = async (fields: object = {}) => {
  const person = await newUser();
  const her = sharesOf(person);
  const id = await her.newShare({ title: 'Hi', ...fields });
  pass(limitMs);
  return { ...her, ...linksOf(person), id };
};

/** Shares something with a reader, whose list has it as if its job had run. */
const shareWith = async (owner: Person, reader: Person): Promise<string> => {
  const id = await sharesOf(owner).newShare({ readers: [reader.id] });
  const at = new Date().toISOString();
  await reconcileReaders({ id, added: [reader.id], removed: [], at });
  return id;
};

/** Creates a share that is in a reader’s list. */
const newReceived = async () => {
  const [owner, reader] = [await newUser(), await newUser()];
  return { id: await shareWith(owner, reader), reader };
};

/** Creates a share with a revision. */
const newRevised = async () => {
  const person = await newUser();
  const her = sharesOf(person);
  const id = await her.newShare({ content: '# One' });
  await her.put(id, { content: '# Two' });
  pass(limitMs);
  return { ...revisionsOf(person), id };
};

/** Creates a share with a recipient link. */
const newLink = async (fields?: object) => {
  const her = await newShare();
  return { ...her, link: (await her.addLink(her.id, fields)).body.id as string };
};

/** Creates a recipient link that asks for a code. */
const newAsking = () => whileMailIsOn(() => newLink({ email: 'mei@example.com', verify: true }));

const ofModerator = async () => {
  const { id } = await newShare();
  const theirs = sharesOf(await newUser('super_admin'));
  await theirs.report(id);
  return { ...theirs, id };
};

/** Prepares a reader's request by the id of a share. */
const ofReader =
  (act: (id: string) => ReturnType<typeof view>, fields: object = {}) =>
  async () => {
    const { id } = await newShare(fields);
    return () => act(id);
  };

/** Too long for the item of the share, which every view reads. */
const ofItsOwnItem = words(8_000);

/** Prepares a reader's request for a share that the process has read before. */
const again =
  (act: (id: string) => ReturnType<typeof view>, fields: object = {}) =>
  async () => {
    const { id } = await newShare({ content: ofItsOwnItem, ...fields });
    await act(id);
    pass(limitMs);
    return () => act(id);
  };

const fileOf = (id: string, path: string) => call('GET /{id}/{path+}', { params: { id, path } });

/** More than there are attempts of one request: each reads a file that the process hasn’t read yet. */
const paths = Array.from({ length: 20 }, (_, at) => `${at}.js`);

/** Creates a share with files. */
const newFiles = async () => {
  const { id } = await newShare();
  await addFiles(id, Object.fromEntries(paths.map((path) => [path, words(1_000)])));
  pass(limitMs);
  return id;
};

export const shareCalls: TypicalCalls = {
  'POST /api/share': async () => {
    const { create } = sharesOf(await newUser());
    return () => create({ title: 'Hi' });
  },
  'GET /api/share (a view)': ofReader(view),
  'GET /api/share (another view)': again(view),
  'GET /api/share (a view with a link)': async () => {
    const { link } = await newLink();
    return () => view(link);
  },
  'GET /api/share (own ones)': async () => {
    const { newShare: make, list } = sharesOf(await newUser());
    await moreThanAPage(make);
    return list;
  },
  'GET /api/share (own ones by status)': async () => {
    const { newShare: make, listBy } = sharesOf(await newUser());
    await moreThanAPage(make);
    return () => listBy({ status: 'ended' });
  },
  "GET /api/share (the owner's look)": async () => {
    const { id, look } = await newShare();
    return () => look(id);
  },
  'GET /api/share/summary': async () => {
    const { newShare: make, summary } = sharesOf(await newUser());
    await moreThanAPage(make);
    return summary;
  },
  'GET /api/share/received': async () => {
    const [owner, reader] = [await newUser(), await newUser()];
    await moreThanAPage(() => shareWith(owner, reader));
    return () => receivedOf(reader).received();
  },
  'PUT /api/share/received/seen': async () => {
    const { see } = receivedOf(await newUser());
    return () => see();
  },
  'DELETE /api/share/received/{id}': async () => {
    const { id, reader } = await newReceived();
    return () => receivedOf(reader).unlist(id);
  },
  'PUT /api/share/{id}': async () => {
    const { id, put } = await newShare();
    return () => put(id, { title: 'Other' });
  },
  'GET /api/share/{id}/receipts': async () => {
    const reader = await newUser();
    const { id, receipts } = await newShare({ readers: [reader.id] });
    await call('GET /api/share', { query: { id }, token: reader.token });
    return () => receipts(id);
  },
  'GET /api/share/{id}/links': async () => {
    const { id, links } = await newLink();
    return () => links(id);
  },
  'POST /api/share/{id}/links': async () => {
    const { id, addLink } = await newLink();
    return () => addLink(id);
  },
  'PUT /api/share/{id}/links/{linkId}': async () => {
    const { id, link, changeLink } = await newLink();
    return () => changeLink(id, link, { viewLimit: 3 });
  },
  'POST /api/share/{id}/links/{linkId}/send': async () => {
    const { id, link, sendLink } = await newLink({ email: 'mei@example.com' });
    return () => whileMailIsOn(() => sendLink(id, link));
  },
  'DELETE /api/share/{id}/links/{linkId}': async () => {
    const { id, link, revokeLink } = await newLink();
    return () => revokeLink(id, link);
  },
  'GET /api/share/{id}/revisions': async () => {
    const { id, revisions } = await newRevised();
    return () => revisions(id);
  },
  'GET /api/share/{id}/revisions/{version}': async () => {
    const { id, revision } = await newRevised();
    return () => revision(id, 1);
  },
  'GET /api/share/{id}/revisions/{version}/diff': async () => {
    const { id, diff } = await newRevised();
    return () => diff(id, 1);
  },
  'POST /api/share/{id}/revisions/{version}/restore': async () => {
    const { id, restore } = await newRevised();
    return () => restore(id, 1);
  },
  'POST /api/share/{id}/end': async () => {
    const { id, end } = await newShare();
    return () => end(id);
  },
  'POST /api/share/{id}/reopen': async () => {
    const { id, end, reopen } = await newShare();
    await end(id);
    return () => reopen(id);
  },
  'DELETE /api/share/{id}': async () => {
    const { id, remove } = await newShare();
    return () => remove(id);
  },
  'POST /api/share/{id}/report': ofReader((id) => report(id)),
  'GET /api/shares': async () => {
    await moreThanAPage(sharesOf(await newUser()).newShare);
    const { token } = await newUser('super_admin');
    return () => call('GET /api/shares', { token });
  },
  'GET /api/shares/export': async () => {
    await moreThanAPage(sharesOf(await newUser()).newShare);
    const { token } = await newUser('super_admin');
    return () => call('GET /api/shares/export', { token });
  },
  'GET /api/shares/export (own ones)': async () => {
    const { token } = await newUser();
    await moreThanAPage(sharesOf({ token }).newShare);
    return () => call('GET /api/shares/export', { token, query: { mine: 'true' } });
  },
  'POST /api/shares/export': async () => {
    await moreThanAPage(sharesOf(await newUser()).newShare);
    const { token } = await newUser('super_admin');
    return () => call('POST /api/shares/export', { token });
  },
  'GET /api/shares/{id}': async () => {
    const { id, manage } = await ofModerator();
    return () => manage(id);
  },
  'PUT /api/shares/{id}/decision': async () => {
    const { id, decide } = await ofModerator();
    return () => decide(id, 'take-down');
  },
  'GET /s/{id}': ofReader((id) => page(id)),
  'GET /s/{id} (again)': again((id) => page(id)),
  'GET /s/{id} (with a limit)': ofReader((id) => page(id), { viewLimit: 3 }),
  'GET /s/{id}/code': async () => {
    const { link } = await newAsking();
    return () => call('GET /s/{id}/code', { params: { id: link } });
  },
  'POST /s/{id}/code': async () => {
    const { link } = await newAsking();
    return () => whileMailIsOn(() => askCode(link));
  },
  'POST /s/{id}/proof': async () => {
    const { link } = await newAsking();
    const code = await plantCode(link);
    return () => enterCode(link, code);
  },
  'GET /s/{id} (by a link)': async () => {
    const { link } = await newLink();
    return () => page(link);
  },
  'POST /s/{id}/open (by a link)': async () => {
    const { link } = await newLink();
    return () => open(link);
  },
  'GET /s/{id}/raw': ofReader((id) => raw(id)),
  'POST /s/{id}/open': ofReader((id) => open(id), { viewLimit: 3 }),
  'POST /s/{id}/view': ofReader((id) =>
    call('POST /s/{id}/view', { params: { id }, body: { claim: 'a-random-id' } }),
  ),
  'GET /s/{id}/live': ofReader((id) => call('GET /s/{id}/live', { params: { id } })),
  'GET /s/{id}/embed': ofReader((id) => call('GET /s/{id}/embed', { params: { id } }), {
    embedOrigins: ['https://blog.example.com'],
  }),
  'GET /s/{id}/end': ofReader((id) => call('GET /s/{id}/end', { params: { id } }), {
    readersCanEnd: true,
  }),
  'POST /s/{id}/end': ofReader((id) => endAsReader(id), { readersCanEnd: true }),
  'GET /s/{id}/revisions': async () => {
    const { id, page } = await newRevised();
    return () => page(id, { version: '1' });
  },
  'GET /s/{id}/revisions/{version}/raw': async () => {
    const { id, raw } = await newRevised();
    return () => raw(id, 1);
  },
  'GET /s/{id}/report': ofReader((id) => call('GET /s/{id}/report', { params: { id } })),
  'POST /s/{id}/report': ofReader(reportByPage),
  'GET /{id}': ofReader((id) => frame(id)),
  'GET /{id} (again)': again((id) => frame(id)),
  'GET /{id}/{path+}': async () => {
    const id = await newFiles();
    let at = 0;
    return () => fileOf(id, paths[at++] ?? '');
  },
  'GET /{id}/{path+} (again)': async () => {
    const id = await newFiles();
    await fileOf(id, '0.js');
    return () => fileOf(id, '0.js');
  },
  'GET /preview': async () => () => call('GET /preview'),
  'GET /diagram': async () => () => call('GET /diagram'),
  'GET /diagram/{file}': async () => () =>
    call('GET /diagram/{file}', { params: { file: diagramManifest.entry } }),
};
