import { randomUUID } from 'node:crypto';
import type { Answer } from '../../support/service/call.ts';
import { frame, open, page, tokenIn } from '../../support/shares/shares.ts';
import { byVisitor, call } from '../lambda/call.ts';
import { type Batch, leastOf, type Measured, measureBatch, measureCall } from './measure.ts';

/** Views per batch of jobs: on a quiet service, and on a busy one with full batches. */
export const batchSizes = [10, 100] as const;

/** The measured requests of a view, and the jobs of several views in one batch. */
export interface PageView {
  /** Requests of every view. */
  readonly own: readonly Measured[];
  /** Requests that a browser caches. */
  readonly assets: readonly Measured[];
  /** Batches of several views by one visitor, and by one visitor each. */
  readonly batches: Readonly<Record<'byOne' | 'byMany', readonly Batch[]>>;
}

/** Calls after which a function's CPU is stable. */
const rounds = 25;

/** The steps of a view; each receives the responses before it. */
type Steps = readonly ((before: readonly Answer[]) => ReturnType<typeof call>)[];

const measureSteps = async (steps: Steps) => {
  const all: { readonly own: Measured[]; readonly answers: Answer[] }[] = [];
  for (let round = 0; round < rounds; round++) {
    const own: Measured[] = [];
    const responses: Answer[] = [];
    for (const step of steps) {
      const { answer: response, ...measured } = await measureCall(() => step(responses));
      responses.push(response);
      own.push(measured);
    }
    all.push({ own, answers: responses });
  }
  const own = steps.map((_, at) => leastOf(all.map((round) => round.own[at] as Measured)));
  return { own, pages: all[0]?.answers ?? [] };
};

/** Measures a view. Each step receives the responses before it. */
export const measureView = async (steps: Steps): Promise<PageView> => {
  const { own, pages } = await measureSteps(steps);
  if (pages.some(({ body }) => String(body).includes('data-fetches-now'))) {
    throw new Error('A page asks for more than is measured');
  }
  const view = async () => {
    const responses: Answer[] = [];
    for (const step of steps) responses.push(await step(responses));
  };
  const measureBatches = async (name: () => string) => {
    const batches: Batch[] = [];
    for (const size of batchSizes) {
      batches.push(await measureBatch(size, () => byVisitor(name(), view)));
    }
    return batches;
  };
  const batches = {
    byOne: await measureBatches(() => 'one'),
    byMany: await measureBatches(() => randomUUID()),
  };
  return { own, assets: await measureAssets(pages), batches };
};

/** What browsers send: all of them take brotli. */
const acceptingEncodings = { 'accept-encoding': 'gzip, deflate, br, zstd' };

const assetsOf = (pages: readonly Answer[]): string[] => [
  ...new Set(
    pages.flatMap(({ body }) =>
      [...String(body).matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path),
    ),
  ),
];

const measureAssets = async (pages: readonly Answer[]): Promise<Measured[]> => {
  const measured: Measured[] = [];
  for (const path of assetsOf(pages)) {
    const [, , kind, file = ''] = path.split('/');
    const headers = kind === 'fonts' ? {} : acceptingEncodings;
    const send = () => call(`GET /assets/${kind}/{file}`, { params: { file }, headers });
    const { answer: _, ...rest } = await measureCall(send);
    measured.push(rest);
  }
  return measured;
};

/** Returns a browser's requests for the page of a share without a limit. */
export const pageView = (id: string): Steps => [() => page(id), () => frame(id)];

/** Returns a browser's requests that open a share with a limit and show it. */
export const limitedPageView = (id: string): Steps => {
  const tokenOf = (responses: readonly Answer[]) => tokenIn(responses[1] as Answer);
  return [
    () => page(id),
    () => open(id),
    (before) => page(id, tokenOf(before)),
    (before) => frame(id, tokenOf(before)),
  ];
};
