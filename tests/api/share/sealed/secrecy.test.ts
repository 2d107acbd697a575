import { expect, it } from 'vitest';
import { section } from '../../../../functions/api/share/archive.ts';
import { documentClient, tableName } from '../../../../shared/db/dynamodb.ts';
import { readSection } from '../../../support/exports/archive.ts';
import { newAssistant } from '../../../support/mcp/call-tool.ts';
import { takeLeaks } from '../../../support/run/log-secrecy.ts';
import { keepSecret } from '../../../support/run/secrets.ts';
import { bucketName, clientOf, useBucket } from '../../../support/s3/local-s3.ts';
import { settleJobs, useJobs } from '../../../support/service/jobs.ts';
import { useMail } from '../../../support/service/mail.ts';
import { askCode } from '../../../support/shares/codes.ts';
import { uploaded } from '../../../support/shares/files.ts';
import { endAsReader, linksOf, revisionsOf, sharesOf } from '../../../support/shares/requests.ts';
import {
  newSeal,
  sealedBody,
  sealFiles,
  sealText,
  unseal,
} from '../../../support/shares/sealed.ts';
import { open, page, raw } from '../../../support/shares/shares.ts';
import { findIn, readStored } from '../../../support/shares/stored-bytes.ts';
import { useTable } from '../../../support/table/table.ts';
import { newEmail, newPerson, newUserOf } from '../../../support/users/test-users.ts';
import { usePeople } from '../../../support/users/use-people.ts';

useTable();
useBucket();
useJobs();
useMail();

const {
  ann: person,
  ben,
  mod,
} = usePeople({
  ann: newPerson,
  ben: newPerson,
  mod: () => newUserOf('user', { extraPermissions: ['shares:manage'] }),
});
const ann = { ...sharesOf(person), ...linksOf(person), ...revisionsOf(person) };

const secrets = {
  text: 'Plaintext of the first envelope',
  edited: 'Plaintext of the second envelope',
  file: 'Plaintext within a sealed file',
  name: 'severance-of-klara.txt',
  passphrase: 'walnut tango 88',
};

/** A title, which isn't sealed. */
const clear = 'Codes of the safe';

it('leaves neither plaintext, key, passphrase nor proof in the store and the log', async () => {
  const seals = [await newSeal(), await newSeal(secrets.passphrase)];
  const { fail } = await newAssistant(person);
  for (const seal of seals) {
    const { named, sent } = await sealFiles(seal, { [secrets.name]: secrets.file });
    const upload = await uploaded(person.token, sent);
    const content = await sealText(seal, secrets.text, named);
    const options = { title: clear, upload, notify: true, readersCanEnd: true };
    const id = await ann.newShare(await sealedBody(seal, { content, ...options }));
    const { body: link } = await ann.addLink(id);
    const { body: asking } = await ann.addLink(id, { email: newEmail(), verify: true });
    await askCode(asking.id);
    await Promise.all([page(id), raw(id), open(id, { password: 'Abc123' })]);
    for (const address of [id, link.id]) {
      await unseal(address, { proof: seal.proof, claim: 'nonce-of-a-page' });
      await unseal(address, { proof: 'C'.repeat(43) });
    }
    // What no client should send: an id with the key.
    await unseal(`${id}#${seal.fragment}`);
    await fail('share_read', { id: `${id}#${seal.fragment}` });
    await ann.put(id, { content: await sealText(seal, secrets.edited, named) });
    await Promise.all([ann.diff(id, 1), ann.restore(id, 1), ann.report(id)]);
    await sharesOf(mod).manage(id);
    await ann.put(id, { readers: [ben.id] });
    await unseal(id, { proof: seal.proof, token: ben.token });
    const { body } = await unseal(link.id, { proof: seal.proof });
    expect((await endAsReader(link.id, body.endToken)).status).toBe(303);
  }
  await settleJobs();
  await readSection(section, person);
  const keys = seals.flatMap(({ fragment, proof }) => {
    const key = fragment.slice('k1.'.length);
    return [fragment, key, Buffer.from(key, 'base64url'), proof, Buffer.from(proof, 'base64url')];
  });
  const searched = [...Object.values(secrets), ...keys];
  const store = await readStored({
    table: { client: documentClient(), name: tableName() },
    bucket: { client: clientOf(), name: bucketName() },
  });
  // What isn't sealed is found.
  expect(findIn(store, [clear])).toEqual([clear]);
  expect(findIn(store, searched)).toEqual([]);
  for (const one of searched) keepSecret('sealed', one);
  expect(takeLeaks()).toEqual([]);
});
