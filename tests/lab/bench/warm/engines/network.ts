import { marshall } from '@aws-sdk/util-dynamodb';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { stored } from '../stored.ts';

/*
 * Bundled with each handler. Makes the SDK's requests respond immediately from memory, so that a request's CPU is that
 * of
 * the handler and of the SDK, which marshals and signs.
 */

interface Key {
  readonly pk: { readonly S: string };
  readonly sk: { readonly S: string };
}

interface Input {
  readonly RequestItems?: Readonly<Record<string, { readonly Keys: readonly Key[] }>>;
  readonly TransactItems?: readonly unknown[];
}

const items = new Map(
  stored.map((item) => [`${item['pk']}\n${item['sk']}`, JSON.stringify(marshall(item))]),
);

/** Returns the response (JSON) to a request to the table. */
const answerTo = ({ RequestItems, TransactItems }: Input): string => {
  if (TransactItems) return '{}';
  if (!RequestItems) throw new Error('A handler sent a request that the engine does not know');
  const responses = Object.entries(RequestItems).map(([table, { Keys }]) => {
    const found = Keys.flatMap(({ pk, sk }) => items.get(`${pk.S}\n${sk.S}`) ?? []);
    return `${JSON.stringify(table)}:[${found.join(',')}]`;
  });
  return `{"Responses":{${responses.join(',')}},"UnprocessedKeys":{}}`;
};

const decoder = new TextDecoder();
const textOf = (body: string | Uint8Array): string =>
  typeof body === 'string' ? body : decoder.decode(body);

const handle = async ({ body }: { readonly body: string | Uint8Array }) => ({
  response: {
    statusCode: 200,
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-requestid': 'none' },
    body: Buffer.from(answerTo(JSON.parse(textOf(body)))),
  },
});

NodeHttpHandler.prototype.handle = handle as unknown as NodeHttpHandler['handle'];
