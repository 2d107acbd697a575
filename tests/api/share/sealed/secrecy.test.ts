import { brotliDecompressSync } from 'node:zlib';
import { GetObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { documentClient, tableName } from '../../../../shared/db/dynamodb.ts';
import { takeLeaks } from '../../../support/run/log-secrecy.ts';
import { keepSecret } from '../../../support/run/secrets.ts';
import { bucketName, clientOf, useBucket } from '../../../support/s3/local-s3.ts';
import { settleJobs, useJobs } from '../../../support/service/jobs.ts';
import { uploaded } from '../../../support/shares/files.ts';
import { linksOf, revisionsOf, sharesOf } from '../../../support/shares/requests.ts';
import {
  newSeal,
  sealedBody,
  sealFiles,
  sealText,
  unseal,
} from '../../../support/shares/sealed.ts';
import { open, page, raw } from '../../../support/shares/shares.ts';
import { useTable } from '../../../support/table/table.ts';
import { newPerson, newUserOf } from '../../../support/users/test-users.ts';
import { usePeople } from '../../../support/users/use-people.ts';

useTable();
useBucket();
useJobs();

const { ann: person, mod } = usePeople({
  ann: newPerson,
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

/** Returns bytes as they are stored, and as they were before the service compressed them. */
const withText = (bytes: Uint8Array): Buffer[] => {
  try {
    return [Buffer.from(bytes), brotliDecompressSync(bytes)];
  } catch {
    return [Buffer.from(bytes)];
  }
};

/** All that the service has stored, as bytes. */
const readStore = async (): Promise<Buffer[]> => {
  const scan = new ScanCommand({ TableName: tableName() });
  const { Items = [] } = await documentClient().send(scan);
  const values: Buffer[] = [];
  const collect = (value: unknown): void => {
    if (value instanceof Uint8Array) values.push(...withText(value));
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
    else values.push(Buffer.from(String(value)));
  };
  collect(Items);
  const s3 = clientOf();
  const Bucket = bucketName();
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
  for (const { Key = '' } of Contents) {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
    const bytes = (await Body?.transformToByteArray()) ?? new Uint8Array();
    values.push(Buffer.from(Key), ...withText(bytes));
  }
  return values;
};

it('leaves neither plaintext, key, passphrase nor proof in the store and the log', async () => {
  const seals = [await newSeal(), await newSeal(secrets.passphrase)];
  for (const seal of seals) {
    const { named, sent } = await sealFiles(seal, { [secrets.name]: secrets.file });
    const upload = await uploaded(person.token, sent);
    const content = await sealText(seal, secrets.text, named);
    const id = await ann.newShare(await sealedBody(seal, { content, upload, notify: true }));
    const { body: link } = await ann.addLink(id);
    await Promise.all([page(id), raw(id), open(id, { password: 'Abc123' })]);
    for (const address of [id, link.id]) {
      await unseal(address, { proof: seal.proof, claim: 'nonce-of-a-page' });
      await unseal(address, { proof: 'C'.repeat(43) });
    }
    await ann.put(id, { content: await sealText(seal, secrets.edited, named) });
    await Promise.all([ann.diff(id, 1), ann.restore(id, 1), ann.report(id)]);
    await sharesOf(mod).manage(id);
    await unseal(id, { proof: seal.proof });
  }
  await settleJobs();
  const keys = seals.flatMap(({ fragment, proof }) => {
    const key = fragment.slice('k1.'.length);
    return [fragment, key, Buffer.from(key, 'base64url'), proof, Buffer.from(proof, 'base64url')];
  });
  const searched = [...Object.values(secrets), ...keys].map((one) => Buffer.from(one));
  const store = await readStore();
  expect(store.length).toBeGreaterThan(100);
  const found = searched.filter((secret) => store.some((value) => value.includes(secret)));
  expect(found.map(String)).toEqual([]);
  for (const text of [...Object.values(secrets), ...keys]) keepSecret('sealed', text);
  expect(takeLeaks()).toEqual([]);
});
