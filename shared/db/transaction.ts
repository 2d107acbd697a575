import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { getBackoffMs } from '../runtime/backoff.ts';
import { documentClient, tableName } from './dynamodb.ts';
import type { Item } from './item-parser.ts';
import type { Key } from './key.ts';

export type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** Creates the write of an item that must not exist yet. */
export const createItemWrite = (key: Key, item: object): Write => ({
  Put: {
    TableName: tableName(),
    Item: { ...item, ...key },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
});

/** Creates the write that deletes an item, whether it exists or not. */
export const deleteItemWrite = ({ pk, sk }: Key): Write => ({
  Delete: { TableName: tableName(), Key: { pk, sk } },
});

/**
 * A write with a condition, and what it means if the condition fails: a value that `transact` returns, or an error that it
 * throws.
 */
export interface Step<Outcome extends string = never> {
  readonly write: Write | undefined;
  /** Returns the write of a further attempt after a conflict, from 2, such as to another shard of a counter. */
  readonly rewrite?: (attempt: number) => Write;
  readonly refused?: Outcome | (() => Error);
}

type OutcomeOf<S> = S extends { readonly refused?: infer Refused }
  ? Extract<Refused, string>
  : never;

/** The step that was refused. `item` is the existing item if its write asks for it. */
export interface Refusal<Outcome extends string> {
  readonly by: Outcome;
  readonly item: Item | undefined;
}

/** A conflict with other transactions on the same items that outlasted all retries. */
export class TransactionConflict extends Error {
  override readonly name = 'TransactionConflict';
  /** Whether it certainly wrote nothing: no request of it can still arrive. */
  readonly isFinal: boolean;

  constructor(isFinal: boolean, options: ErrorOptions) {
    super('Other writes kept getting in between', options);
    this.isFinal = isFinal;
  }
}

const maxTries = 8;
const maxTotalMs = 2_000;

type PresentStep = Step<string> & { readonly write: Write };

/** Writes all or none. Returns the failed conditions by the index of the write, with the existing items. */
const writeAll = async (
  steps: readonly PresentStep[],
  maxAttempts: number,
): Promise<ReadonlyMap<number, Item | undefined>> => {
  const toCommand = (writes: number) =>
    new TransactWriteCommand({
      TransactItems: steps.map(({ write, rewrite }) =>
        writes > 1 && rewrite ? rewrite(writes) : write,
      ),
      ClientRequestToken: randomUUID(),
    });
  const canChange = steps.some(({ rewrite }) => rewrite);
  let command = toCommand(1);
  const started = performance.now();
  let isFinal = true;
  for (let attempt = 1; ; attempt++) {
    try {
      await documentClient().send(command);
      return new Map();
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const reasons = error.CancellationReasons ?? [];
      const failed = new Map<number, Item | undefined>();
      for (const [at, { Code, Item }] of reasons.entries()) {
        if (Code === 'ConditionalCheckFailed') failed.set(at, Item && unmarshall(Item));
      }
      if (failed.size > 0) return failed;
      if (!reasons.every(({ Code }) => Code === 'None' || isTransient(Code))) throw error;
      // What the client sent more than once may still arrive and succeed, so only its repetition, with its token, is safe.
      isFinal &&= error.$metadata?.attempts === 1;
      const pause = getBackoffMs(attempt);
      if (attempt === maxAttempts || performance.now() - started + pause > maxTotalMs) {
        throw new TransactionConflict(isFinal, { cause: error });
      }
      await wait(pause);
      if (canChange && isFinal) command = toCommand(attempt + 1);
    }
  }
};

type AnyStep = Write | Step<string> | undefined;

const toStep = (step: AnyStep): readonly PresentStep[] => {
  if (!step) return [];
  if (!('write' in step)) return [{ write: step as Write }];
  return step.write ? [{ ...step, write: step.write }] : [];
};

/**
 * Writes all items or none, exactly once even after lost responses. Returns `undefined` when written, otherwise the first
 * step with `refused` whose condition failed: so the order of the steps decides which outcome wins. Retries conflicts and
 * throttling with full jitter, at most 8 times within 2 s, or `maxAttempts`.
 * @throws the error of that step; Error if only steps without `refused` failed; TransactionConflict after the last retry
 */
export const transact = async <const Steps extends readonly AnyStep[]>(
  steps: Steps,
  { maxAttempts = maxTries }: { readonly maxAttempts?: number } = {},
): Promise<Refusal<OutcomeOf<Steps[number]>> | undefined> => {
  const present = steps.flatMap(toStep);
  const failed = await writeAll(present, maxAttempts);
  if (failed.size === 0) return undefined;
  for (const [at, item] of failed) {
    const refused = present[at]?.refused;
    if (typeof refused === 'function') throw refused();
    if (refused !== undefined) return { by: refused as OutcomeOf<Steps[number]>, item };
  }
  const writes = [...failed.keys()].map((at) => at + 1);
  throw new Error(`Unexpected failed condition of write ${writes} of ${present.length}`);
};

/**
 * Returns whether a cancellation reason may not recur.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
 */
const isTransient = (code: string | undefined): boolean =>
  code === 'TransactionConflict' ||
  code === 'ThrottlingError' ||
  code === 'ProvisionedThroughputExceeded';
