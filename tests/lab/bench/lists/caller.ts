import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import * as sessions from '../../../../functions/api/auth/sessions.ts';
import { handler } from '../../../../functions/api/users/index.ts';
import type { StoredUser } from '../../../../shared/auth/user.ts';
import { transact } from '../../../../shared/db/transaction.ts';

export type Query = Readonly<Record<string, string>>;

/** The parts of a users' response that the benchmark reads. */
export interface Body {
  readonly data: {
    readonly id?: number;
    readonly items?: readonly { readonly id: number }[];
    readonly total?: number;
    readonly nextCursor?: string | null;
  };
}

/** Signs a user in, in the table that TABLE_NAME names; returns an access token. */
export const signIn = async (user: StoredUser): Promise<string> => {
  const session = sessions.create({
    ip: '192.0.2.1',
    network: '192.0.2.1',
    userAgent: 'bench',
    isService: false,
  })(user);
  await transact([sessions.put(session)]);
  return (await sessions.createTokens(session, user)).accessToken;
};

/**
 * Calls a GET route of the users' Lambda function as API Gateway would.
 * @throws Error unless the status is 200
 */
export const get = async (
  token: string,
  path: string,
  { id, query }: { readonly id?: number; readonly query?: Query } = {},
): Promise<Body> => {
  const routeKey = `GET ${path}`;
  const rawPath = path.replace('{id}', String(id));
  const requestId = randomUUID();
  const result = await handler(
    {
      version: '2.0',
      routeKey,
      rawPath,
      rawQueryString: new URLSearchParams(query).toString(),
      headers: { authorization: `Bearer ${token}` },
      ...(query && { queryStringParameters: { ...query } }),
      requestContext: {
        accountId: '0',
        apiId: 'bench',
        domainName: 'handbill.test',
        domainPrefix: 'bench',
        http: {
          method: 'GET',
          path: rawPath,
          protocol: 'HTTP/1.1',
          sourceIp: '192.0.2.1',
          userAgent: 'bench',
        },
        requestId,
        routeKey,
        stage: '$default',
        time: '',
        timeEpoch: Date.now(),
      },
      isBase64Encoded: false,
    },
    { awsRequestId: requestId, functionName: 'bench' } as Context,
  );
  if (result.statusCode !== 200) {
    throw new Error(
      `${routeKey} ${JSON.stringify(query)} answered ${result.statusCode}: ${result.body}`,
    );
  }
  return JSON.parse(result.body ?? '');
};
