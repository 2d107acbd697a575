import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startS3 } from '../../../../infra/local/aws/s3/engine.ts';
import {
  addressOf,
  startAndFail,
  startProcess,
  temporaryFolder,
} from '../../../support/run/process.ts';
import { clientOf, credentials } from '../../../support/s3/local-s3.ts';

/** Starts a server that returns 404 to every request, and returns its port. */
const otherServer = async (): Promise<number> => {
  const server = createServer((_, response) => response.writeHead(404).end());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => server.closeAllConnections());
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
};

describe('npm start', () => {
  it('uses the configured S3, and creates the configured bucket there', async () => {
    const engine = await startS3({ credentials });
    onTestFinished(() => engine.close());
    const { accessKeyId, secretAccessKey } = await credentials();
    const service = await startProcess({
      DATA_DIR: await temporaryFolder(),
      AWS_ENDPOINT_URL_S3: engine.endpoint,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      FILES_BUCKET: 'my-own-files',
    });
    expect(addressOf(service, 'S3')).toBe(engine.endpoint);
    const { endpoint } = engine;
    await clientOf({ endpoint }).send(
      new PutObjectCommand({ Bucket: 'my-own-files', Key: 'stored', Body: '' }),
    );
    expect(await service.stop()).toBe(0);
  });

  it('reports an invalid S3 port or endpoint in one sentence', async () => {
    const port = await otherServer();
    const fail = async (settings: Record<string, string>) =>
      startAndFail({ DATA_DIR: await temporaryFolder(), ...settings });
    const failure = { code: 1, output: '' };
    expect(await fail({ LOCAL_S3_PORT: String(port) })).toEqual({
      ...failure,
      errors: `Port ${port} is in use. Set LOCAL_S3_PORT to another port.\n`,
    });
    const AWS_ENDPOINT_URL_S3 = `http://127.0.0.1:${port}`;
    expect(await fail({ AWS_ENDPOINT_URL_S3 })).toEqual({
      ...failure,
      errors: `Can’t reach S3 at ${AWS_ENDPOINT_URL_S3}. Check that it is running and your permissions.\n`,
    });
  });
});
