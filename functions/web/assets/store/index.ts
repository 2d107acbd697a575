import { setTimeout } from 'node:timers/promises';
import { serializeError } from '../../../../shared/runtime/error-mapping.ts';
import { getLogger } from '../../../../shared/runtime/telemetry.ts';
import { listAssets } from '../files.ts';
import { storeAssets } from './stored-assets.ts';

/** What CloudFormation asks of a resource that a function makes. */
interface ResourceEvent {
  readonly RequestType: 'Create' | 'Update' | 'Delete';
  /** A signed address, where it waits for the answer. */
  readonly ResponseURL: string;
  readonly StackId: string;
  readonly RequestId: string;
  readonly LogicalResourceId: string;
  readonly PhysicalResourceId?: string;
}

const attempts = 3;
const pauseMs = 200;
const timeoutMs = 5_000;

/** Answers CloudFormation, which waits otherwise until the time of the resource is over. */
const answer = async (url: string, body: object): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    try {
      // The address is signed for a request without a type, and bytes have none.
      const { ok, status } = await fetch(url, {
        method: 'PUT',
        body: Buffer.from(JSON.stringify(body)),
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (ok) return;
      throw new Error(`CloudFormation answered ${status}`);
    } catch (error) {
      if (attempt === attempts) throw error;
      await setTimeout(pauseMs * attempt);
    }
  }
};

const store = async ({ RequestType }: ResourceEvent): Promise<string | undefined> => {
  // What is stored stays with the bucket, or goes with it.
  if (RequestType === 'Delete') return undefined;
  try {
    await storeAssets(listAssets(), Date.now());
    return undefined;
  } catch (error) {
    getLogger().error('Assets not stored', { error: serializeError(error) });
    return `The assets couldn’t be stored in the bucket (${(error as Error).name}). The function’s log says why; deploy again.`;
  }
};

/** Stores the assets of this build before its pages are deployed, as a resource of the stack. Always answers. */
export const handler = async (event: ResourceEvent): Promise<void> => {
  const { StackId, RequestId, LogicalResourceId, PhysicalResourceId = 'assets' } = event;
  const reason = await store(event);
  await answer(event.ResponseURL, {
    Status: reason === undefined ? 'SUCCESS' : 'FAILED',
    ...(reason !== undefined && { Reason: reason }),
    ...{ StackId, RequestId, LogicalResourceId, PhysicalResourceId },
  });
};
