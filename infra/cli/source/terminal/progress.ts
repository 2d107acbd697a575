import { toVisibleLine } from '../../../../shared/text/visible.ts';

/** A bar that shows how much is done, from 0 to 1. */
export interface Bar {
  update(part: number): void;
  stop(): void;
}

const noBar: Bar = { update: () => {}, stop: () => {} };

/** Draws a progress bar, if a person watches. */
export const createBar = async (name: string): Promise<Bar> => {
  if (!process.stderr.isTTY) return noBar;
  // Only transfers load it.
  const { SingleBar } = await import('cli-progress');
  const bar = new SingleBar({
    format: `${toVisibleLine(name)} {bar} {percentage} %`,
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
  });
  bar.start(100, 0);
  return { update: (part) => bar.update(Math.floor(part * 100)), stop: () => bar.stop() };
};
