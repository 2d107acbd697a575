import { randomUUID } from 'node:crypto';
import { byVisitor, call } from '../../lambda/call.ts';
import type { Answer } from '../../support/service/call.ts';
import { frame, open, page, tokenIn } from '../../support/shares/shares.ts';
import { type Batch, leastOf, type Measured, measureBatch, measureCall } from './measure.ts';

/** How many views are told of by one batch: on a quiet service, and on a busy one, where batches are full. */
export const batchSizes = [10, 100] as const;

/** The requests of a view, each measured, and the jobs of several, done in one batch. */
export interface PageView {
  /** Those that every view sends. */
  readonly own: readonly Measured[];
  /** Those that a browser keeps for the next ones. */
  readonly assets: readonly Measured[];
  /** Of so many views by one visitor, and by one each. */
  readonly batches: Readonly<Record<'byOne' | 'byMany', readonly Batch[]>>;
}

/** A function settles once it was called this often. */
const rounds = 25;

/** The steps of a view: each gets the answers before it. */
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

/** Measures a view, of which each step gets the answers of those before it. */
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
    const send = () => call(`GET /assets/${kind}/{file}`, { params: { file } });
    const { answer: _, ...rest } = await measureCall(send);
    measured.push(rest);
  }
  return measured;
};

/** What a browser asks for to show the page of a share without a limit. */
export const pageView = (id: string): Steps => [() => page(id), () => frame(id)];

/** What a browser asks for to open a share with a limit, and to show it. */
export const limitedPageView = (id: string): Steps => {
  const tokenOf = (responses: readonly Answer[]) => tokenIn(responses[1] as Answer);
  return [
    () => page(id),
    () => open(id),
    (before) => page(id, tokenOf(before)),
    (before) => frame(id, tokenOf(before)),
  ];
};
