import { randomUUID } from 'node:crypto';
import type { SQSRecord } from 'aws-lambda';
import type * as z from 'zod';
import { handler } from '../../../functions/jobs/index.ts';
import { lambdaContext } from '../../../infra/local/lambda-context.ts';
import type { activity } from '../../../shared/activity/jobs.ts';

/** An activity message. */
export interface Told {
  readonly id: string;
  readonly data: z.input<typeof activity.data>;
}

/** Passes messages to the jobs function as one batch and returns the indexes of the failed ones. */
export const deliver = async (
  messages: readonly (Told | { kind: string })[],
): Promise<number[]> => {
  const Records = messages.map(
    (message, at) =>
      ({
        messageId: String(at),
        body: JSON.stringify({ kind: 'activity', ...message }),
        attributes: { ApproximateReceiveCount: '1' },
      }) as SQSRecord,
  );
  const context = lambdaContext(randomUUID(), Date.now() + 60_000);
  const response = await handler({ Records }, context);
  return (response?.batchItemFailures ?? []).map(({ itemIdentifier }) => Number(itemIdentifier));
};
