import { call } from '../lambda/call.ts';
import type { Answer } from '../support/call.ts';
import { frame, open, page, tokenIn } from '../support/shares.ts';
import { leastOf, type Measured, measureBatch, measureCall, type Work } from './measure.ts';

type Send = () => ReturnType<typeof call>;

/** The requests of a view, each measured; the jobs of ten views, done in one batch. */
export interface PageView {
  /** Those that every view sends. */
  readonly own: readonly Measured[];
  /** Those that a browser keeps for the next ones. */
  readonly assets: readonly Measured[];
  readonly batch: Work | undefined;
}

/** A function settles once it was called this often. */
const rounds = 25;

/** The steps of a view: each gets the answers before it. */
type Steps = readonly ((before: readonly Answer[]) => ReturnType<typeof call>)[];

const measureSteps = async (steps: Steps) => {
  const all: { readonly own: Measured[]; readonly answers: Answer[] }[] = [];
  for (let round = 0; round < rounds; round++) {
    const own: Measured[] = [];
    const answers: Answer[] = [];
    for (const step of steps) {
      const { answer, ...measured } = await measureCall(() => step(answers));
      answers.push(answer);
      own.push(measured);
    }
    all.push({ own, answers });
  }
  const own = steps.map((_, at) => leastOf(all.map((round) => round.own[at] as Measured)));
  return { own, pages: all[0]?.answers ?? [] };
};

/** Measures a view, of which each step gets the answers of those before it. */
export const measureView = async (steps: Steps): Promise<PageView> => {
  const { own, pages } = await measureSteps(steps);
  const view: Send = async () => {
    const answers: Answer[] = [];
    for (const step of steps) answers.push(await step(answers));
    return answers.at(-1) as Awaited<ReturnType<Send>>;
  };
  return { own, assets: await measureAssets(pages), batch: await measureBatch(view) };
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
  const tokenOf = (answers: readonly Answer[]) => tokenIn(answers[1] as Answer);
  return [
    () => page(id),
    () => open(id),
    (before) => page(id, tokenOf(before)),
    (before) => frame(id, tokenOf(before)),
  ];
};
