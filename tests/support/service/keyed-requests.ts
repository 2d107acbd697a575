import { listGroups } from '../../../functions/routes.ts';
import { createGateway } from '../../../infra/local/gateway.ts';
import { useServer } from '../run/server.ts';
import { itemsOf } from '../table/table.ts';
import { newEmail, type Person, password } from '../users/test-users.ts';

/** The timeout of a function (ms), after which an unfinished attempt counts as failed. */
export const invocationMs = 30_000;

/** Sends requests with an Idempotency-Key through the gateway. Unfinished ones expire with the function timeout. */
export const useKeyedRequests = () => {
  const gateway = useServer(createGateway(listGroups('service'), () => undefined));
  const send = async (
    endpoint: string,
    { token }: Pick<Person, 'token'>,
    body: unknown,
    key?: string,
  ) => {
    const [method = '', path] = endpoint.split(' ');
    const response = await fetch(`${gateway.origin}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await response.text();
    return {
      status: response.status,
      isReplayed: response.headers.get('idempotency-replayed') === 'true',
      retryAfter: response.headers.get('retry-after'),
      text,
      body: JSON.parse(text),
    };
  };
  return {
    send,
    /** Creates a user. */
    create: (actor: Pick<Person, 'token'>, body: unknown, key?: string) =>
      send('POST /api/users', actor, body, key),
  };
};

/** Returns the body for a new user. */
export const newBody = () => ({ email: newEmail(), name: 'Eve Example', password });

/** Counts the users with the address. */
export const usersOf = async (email: string) =>
  (await itemsOf('USER#')).filter((item) => item['email'] === email).length;
