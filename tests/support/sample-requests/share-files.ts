import { made, newOwner, png } from '../files/files.ts';
import { pass } from '../run/virtual-time.ts';
import { call } from '../service/call.ts';
import { type Files, namesOf, sendFiles, site, startUpload, uploaded } from '../shares/files.ts';
import { filesOf, revisionsOf, sharesOf } from '../shares/requests.ts';
import { newSeal, sealedBody, unseal } from '../shares/sealed.ts';
import { newUser, params, type TypicalCalls } from './sample-request.ts';

/** After this time the rate limit for new shares is full again. */
const limitMs = 10 * 60_000;

/** A site with this many files. */
export const siteOf = (count: number): Files => ({
  'index.html': '<link rel="stylesheet" href="1.css"><p>Hello</p>',
  ...Object.fromEntries(
    Array.from({ length: count - 1 }, (_, at) => [`${at + 1}.css`, `p { top: ${at}px }`]),
  ),
});

/** Creates a user who sends files. */
export const newSender = async () => {
  const person = await newUser();
  return { person, token: person.token ?? '' };
};

/** Prepares a new share of an upload. */
export const ofUpload = (files: Files) => async () => {
  const { token } = await newSender();
  const upload = await uploaded(token, files);
  return () => call('POST /api/share', { token, body: { upload } });
};

/** Creates a share with files. */
const newSite = async () => {
  const { person, token } = await newSender();
  const { id } = (await sendFiles(token, site)).body;
  return { person, id: id as string };
};

export const shareFileCalls: TypicalCalls = {
  'POST /api/share (a form of 2 files)': async () => {
    const { token } = await newSender();
    return () => sendFiles(token, siteOf(2));
  },
  'POST /api/share (an upload of 3 files)': ofUpload(site),
  'POST /api/share (a stored file)': async () => {
    const owner = await newOwner();
    const file = await made(owner, { name: 'dot.png' }, png);
    return () => call('POST /api/share', { token: owner.token, body: { file } });
  },
  'POST /api/share/uploads': async () => {
    const { token } = await newSender();
    return () => startUpload(token, site);
  },
  'DELETE /api/share/uploads/{id}': async () => {
    const { token } = await newSender();
    const id = await uploaded(token, site);
    return () => call('DELETE /api/share/uploads/{id}', { token, ...params(id) });
  },
  'GET /api/share/{id}/files': async () => {
    const { person, id } = await newSite();
    return () => filesOf(person).list(id);
  },
  'PUT /api/share/{id}/files/{path+}': async () => {
    const { person, id } = await newSite();
    pass(limitMs);
    return () => filesOf(person).put(id, 'style.css', { content: 'p { color: navy }' });
  },
  'PUT /api/share/{id}/files/{path+} (of a text)': async () => {
    const { person } = await newSender();
    const id = await sharesOf(person).newShare();
    pass(limitMs);
    return () => filesOf(person).put(id, 'style.css', { content: 'p { color: navy }' });
  },
  'POST /api/share (sealed)': async () => {
    const { person } = await newSender();
    const body = await sealedBody(await newSeal());
    return () => sharesOf(person).create(body);
  },
  'GET /api/share (a view of a sealed one)': async () => {
    const { person } = await newSender();
    const seal = await newSeal();
    const body = await sealedBody(seal, { readersCanEnd: true });
    const id = await sharesOf(person).newShare(body);
    pass(limitMs);
    return () => unseal(id, { proof: seal.proof });
  },
  'GET /api/share (a view of one with files)': async () => {
    const { id } = await newSite();
    pass(limitMs);
    return () => call('GET /api/share', { query: { id } });
  },
  'PUT /api/share/{id} (of its files)': async () => {
    const { person, id } = await newSite();
    const files = namesOf(site).slice(0, 2);
    pass(limitMs);
    return () => sharesOf(person).put(id, { files });
  },
  'POST /api/share/{id}/revisions/{version}/restore (with files)': async () => {
    const { person, id } = await newSite();
    await sharesOf(person).put(id, { files: null });
    pass(limitMs);
    return () => revisionsOf(person).restore(id, 1);
  },
};
