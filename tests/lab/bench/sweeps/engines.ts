import { startDynamoDb } from '../../../../infra/local/aws/dynamodb/engine.ts';
import { startS3 } from '../../../../infra/local/aws/s3/engine.ts';
import { openTestQueues, serveQueues } from '../../../support/service/queue-server.ts';
import { stopClock } from './clock.ts';

/*
 * The engines in a process of their own, so that their CPU is not the functions'. Its parent gets their addresses and sets
 * the clock.
 */

const setTime = stopClock();
const queues = openTestQueues();
const [table, bucket, queue] = await Promise.all([
  startDynamoDb({}),
  startS3({}),
  serveQueues(queues.engine),
]);

process.on('message', ({ now }: { readonly now: number }) => {
  setTime(now);
  process.send?.({ now });
});
process.on('disconnect', () => {
  queues.close();
  process.exit();
});
process.send?.({
  table: table.endpoint,
  bucket: bucket.endpoint,
  queue: queue.endpoint,
  urls: queue.urls,
});
