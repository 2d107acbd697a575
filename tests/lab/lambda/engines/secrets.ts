import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

interface Asked {
  readonly SecretId?: string;
  readonly VersionStage?: string;
}

/**
 * Starts a Secrets Manager on 127.0.0.1 with secrets by ARN that were never rotated. It serves signed `GetSecretValue`
 * requests without verifying the signature.
 */
export const startSecrets = async (secrets: Readonly<Record<string, string>>) => {
  const server = createServer(async (request, response) => {
    const { authorization = '', 'x-amz-target': target } = request.headers;
    const { SecretId: arn = '', VersionStage = 'AWSCURRENT' } = (await json(request)) as Asked;
    const secret = secrets[arn];
    const send = (status: number, body: object): void => {
      response
        .writeHead(status, { 'content-type': 'application/x-amz-json-1.1' })
        .end(JSON.stringify(body));
    };
    const refuse = (type: string, message: string): void =>
      send(400, { __type: type, Message: message, message });
    if (!/\/secretsmanager\/aws4_request/.test(authorization)) {
      refuse('MissingAuthenticationTokenException', 'Missing Authentication Token');
    } else if (target !== 'secretsmanager.GetSecretValue') {
      refuse('InvalidRequestException', `${target} is not known here`);
    } else if (secret === undefined || VersionStage !== 'AWSCURRENT') {
      refuse('ResourceNotFoundException', `Secrets Manager can't find the specified secret value`);
    } else {
      send(200, {
        ARN: arn,
        Name: arn.split(':').at(-1),
        VersionId: '00000000-0000-0000-0000-000000000000',
        SecretString: secret,
        VersionStages: [VersionStage],
        CreatedDate: 1_700_000_000,
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async (): Promise<void> => {
      server.closeAllConnections();
      server.close();
    },
  };
};
