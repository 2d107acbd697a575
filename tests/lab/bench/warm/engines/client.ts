import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { stored } from '../stored.ts';

/*
 * Bundled with each handler. Makes the document client respond immediately from memory, so that a request's CPU is that
 * of
 * the handler. Records the inputs of all commands in an array at `globalThis.commands`, if present.
 */

interface Key {
  readonly pk: string;
  readonly sk: string;
}

interface BatchGet {
  readonly RequestItems: Readonly<Record<string, { readonly Keys: readonly Key[] }>>;
}

type Input = Partial<BatchGet> & { readonly TransactItems?: readonly unknown[] };

const nameOf = ({ pk, sk }: Key): string => `${pk}\n${sk}`;
const items = new Map(stored.map((item) => [nameOf(item as unknown as Key), item]));

const readBatch = (wanted: BatchGet['RequestItems']) => {
  const Responses: Record<string, unknown[]> = {};
  for (const [table, { Keys }] of Object.entries(wanted)) {
    Responses[table] = Keys.flatMap((key) => {
      const item = items.get(nameOf(key));
      return item ? [{ ...item }] : [];
    });
  }
  return { Responses, UnprocessedKeys: {} };
};

const $metadata = { httpStatusCode: 200 };

const send = async ({ input }: { readonly input: Input }): Promise<unknown> => {
  (globalThis as { commands?: Input[] }).commands?.push(input);
  if (input.RequestItems) return { $metadata, ...readBatch(input.RequestItems) };
  if (input.TransactItems) return { $metadata };
  throw new Error('A handler sent a command that the engine does not know');
};

DynamoDBDocumentClient.prototype.send = send as typeof DynamoDBDocumentClient.prototype.send;
