// What a service stores and logs after the flows of the shell and of an assistant with sealed shares.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { readKey, toProof } from '../../../functions/web/browser/sealed/key.ts';
import { startAssistant } from '../../support/cli/mcp.ts';
import { signIn } from '../../support/cli/session.ts';
import { connectToTable } from '../../support/run/fresh-service.ts';
import { addressOf, type ServiceProcess, temporaryFolder } from '../../support/run/process.ts';
import { findIn, readStored } from '../../support/shares/stored-bytes.ts';

const secrets = {
  text: 'Plaintext of the first envelope',
  next: 'Plaintext of the second envelope',
  file: 'Plaintext within a sealed file',
  name: 'severance-of-klara.txt',
  passphrase: 'walnut tango 88',
};

/** A title, which isn't sealed. */
const clear = 'Codes of the safe';

it('neither plaintext, key, passphrase nor proof', async () => {
  const { service, folder, run, token } = await signIn();
  const plans = join(folder, 'plans');
  await mkdir(plans);
  await writeFile(join(plans, 'index.html'), `<p>${secrets.text}</p>`);
  await writeFile(join(plans, secrets.name), secrets.file);
  await writeFile(join(folder, 'next.md'), secrets.next);
  const args = ['share', 'plans', '--sealed', '--title', clear];
  const link = (await run(args)).out.trim();
  const phrased = (await run([...args, `--passphrase=${secrets.passphrase}`])).out.trim();
  const env = { HANDBILL_PASSPHRASE: secrets.passphrase };
  const visitor = { HANDBILL_URL: service.url, XDG_CONFIG_HOME: await temporaryFolder() };
  const ran = [
    await run(['share', 'next.md', '--update', link]),
    await run(['get', link]),
    await run(['get', link], { env: visitor }),
    await run(['get', phrased, '-o', 'copy'], { env: { ...visitor, ...env } }),
    await run(['show', link]),
    await run(['edit', link], { env: { EDITOR: 'true' } }),
  ];
  expect(ran.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0]);

  const assistant = startAssistant({
    ...{ folder: plans, home: await temporaryFolder() },
    env: { HANDBILL_URL: service.url, HANDBILL_TOKEN: token },
  });
  const given = { path: secrets.name, sealed: true, passphrase: secrets.passphrase };
  const { url: made } = (await assistant.call('share_create', given)).structuredContent;
  const calls = [
    await assistant.call('share_read', { id: made, passphrase: secrets.passphrase }),
    await assistant.call('share_update', { id: link, version: 2, content: secrets.next }),
    await assistant.call('share_receipts', { id: link }),
    await assistant.call('share_end', { id: link }),
  ];
  expect(calls.filter(({ isError }) => isError)).toEqual([]);

  const keys = [link, phrased, made].map((one) => one.slice(one.indexOf('#') + 4));
  const proofs = await Promise.all(
    [link, phrased].map(async (one) => {
      const fragment = one.slice(one.indexOf('#') + 1);
      return toProof(await readKey(fragment, one === phrased ? secrets.passphrase : undefined));
    }),
  );
  const bytes = [...keys, ...proofs].map((one) => Buffer.from(one, 'base64url'));
  const searched = [...Object.values(secrets), ...keys, ...proofs, ...bytes];
  const endpoint = addressOf(service as unknown as ServiceProcess, 'S3');
  const client = connectToTable(service);
  const s3 = new S3Client({
    ...{ endpoint, forcePathStyle: true, region: 'eu-west-1', credentials: service.accessKey },
  });
  const stored = await readStored({
    table: { client, name: 'handbill' },
    bucket: { client: s3, name: 'handbill-files' },
  });
  client.destroy();
  s3.destroy();
  // What isn't sealed is found.
  expect(findIn(stored, [clear])).toEqual([clear]);
  expect(findIn(stored, searched)).toEqual([]);
  const log = [Buffer.from(service.output())];
  expect(findIn(log, [service.url])).toEqual([service.url]);
  expect(findIn(log, searched)).toEqual([]);
});
