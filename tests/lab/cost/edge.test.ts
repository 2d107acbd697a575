import { writeSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { words } from '../../support/shares/contents.ts';
import { sharesOf } from '../../support/shares/requests.ts';
import { newUserOf } from '../../support/users/test-users.ts';
import { call } from '../lambda/call.ts';
import { useDeployment } from '../lambda/use-deployment.ts';
import { textTable } from '../support/text-table.ts';
import { headerBytes } from './assumptions.ts';
import { costOfBatch, costOfRequest } from './cost.ts';
import { measureCall } from './measure.ts';
import { batchSizes, measureView, pageView } from './page-view.ts';
import { edgePrices } from './prices.ts';
import { recordFigures } from './record.ts';

useDeployment();

const tables: string[] = [];
// Bypasses the capture of logs, so that the tables are printed.
afterAll(() => writeSync(1, `\n${tables.join('\n')}\n`) as never);

const perMillion = (dollars: number): string => (1e6 * dollars).toFixed(2);
const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);

/** The price of requests to the CDN that transfer these bytes. */
const ofEdge = (bytes: readonly number[]) => ({
  requests: bytes.length * (edgePrices.request + edgePrices.functionCall),
  out: (sum(bytes.map((one) => one + headerBytes)) / 1024 ** 3) * edgePrices.outGb,
});

describe('the cost of a CDN', () => {
  it('is reported for a million views of 10 KB of a share that many read', async () => {
    const ann = sharesOf(await newUserOf('user'));
    const id = await ann.newShare({ content: words(10 * 1_024) });
    // The CDN keeps page and frame; only the request of the script reaches the service.
    const kept = (await measureView(pageView(id))).own;
    const counted = await measureView([
      () => call('POST /s/{id}/view', { params: { id }, body: { claim: 'a-view-of-the-test' } }),
    ]);
    const [ask] = counted.own;
    if (!ask) throw new Error('Nothing was measured');
    // It keeps the state of open pages, too.
    const state = await measureCall(() => call('GET /s/{id}/live', { params: { id } }));
    const polled = ofEdge([state.answerBytes]);
    const edge = ofEdge([...kept, ask].map(({ answerBytes }) => answerBytes));
    const [few = 0, full = 0] = batchSizes.map(
      (size, at) => costOfBatch(counted.batches.byMany[at] ?? expect.unreachable()) / size,
    );
    tables.push(
      textTable(
        ['a million views of 10 KB from a CDN', '$'],
        [
          ['page, frame and count: requests to the CDN', perMillion(edge.requests)],
          ['the count by the service, at most', perMillion(costOfRequest(ask))],
          [
            `its job, ${batchSizes.join(' or ')} at once`,
            `${perMillion(few)} or ${perMillion(full)}`,
          ],
          ['in all', perMillion(edge.requests + costOfRequest(ask) + full)],
          ['out', perMillion(edge.out)],
          [
            'the state of an open page, with its transfer',
            perMillion(polled.requests + polled.out),
          ],
          ['without a CDN, in all', perMillion(sum(kept.map(costOfRequest)) + full)],
        ],
      ),
    );
    recordFigures('edge', {
      requests: Number(perMillion(edge.requests)),
      count: Number(perMillion(costOfRequest(ask))),
      transfer: Number(perMillion(edge.out)),
      without: Number(perMillion(sum(kept.map(costOfRequest)) + full)),
      live: Number(perMillion(polled.requests + polled.out)),
    });
    expect(kept).toHaveLength(2);
    // Behind the CDN it reads nothing if the share was counted within 2 s before.
    expect([ask.request.readUnits, ask.request.writeUnits, ask.request.queueRequests]).toEqual([
      2, 0, 1,
    ]);
  });
});
