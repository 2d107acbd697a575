import type { ReturnConsumedCapacity } from '@aws-sdk/client-dynamodb';
import { documentClient } from '../../../shared/table.ts';

/** What some work asked of the table. */
export interface Consumption {
  readonly units: number;
  readonly requests: number;
  /** The longest row of requests each of which waited for the one before it. */
  readonly rounds: number;
  readonly ms: number;
}

interface Capacity {
  readonly CapacityUnits?: number;
}

const metered: { ReturnConsumedCapacity: ReturnConsumedCapacity } = {
  ReturnConsumedCapacity: 'TOTAL',
};

const unitsOf = (output: object): number => {
  const { ConsumedCapacity = [] } = output as { ConsumedCapacity?: Capacity | Capacity[] };
  const units = [ConsumedCapacity].flat().map(({ CapacityUnits }) => CapacityUnits);
  const sum = units.reduce<number>((total, each) => total + (each ?? Number.NaN), 0);
  if (units.length === 0 || Number.isNaN(sum)) {
    throw new Error('The table did not say what a request consumed');
  }
  return sum;
};

/** Meters every request of the project's DynamoDB client; what it answers measures one piece of work at a time. */
export const meter = (): ((work: () => Promise<void>) => Promise<Consumption>) => {
  let [units, requests, rounds] = [0, 0, 0];
  documentClient().middlewareStack.add(
    (next) => async (args) => {
      requests++;
      // Whatever has been answered by now, this request may have waited for.
      const round = rounds + 1;
      const answer = await next({ ...args, input: { ...args.input, ...metered } });
      units += unitsOf(answer.output);
      rounds = Math.max(rounds, round);
      return answer;
    },
    { step: 'initialize', priority: 'high', name: 'meter' },
  );
  return async (work) => {
    [units, requests, rounds] = [0, 0, 0];
    const started = performance.now();
    await work();
    return { units, requests, rounds, ms: performance.now() - started };
  };
};
