/** How often a page asks. ms. */
const intervalMs = 15_000;
/** How often it asks while it gets no answer, at least. ms. */
const maxIntervalMs = 240_000;
/** How long a page asks of which nobody makes use. ms. */
const idleMs = 30 * 60_000;
/** The time between two questions of a page that is hidden and shown again and again, at least. ms. */
const minGapMs = 2_000;
/** How often in a row it asks soon again. */
const maxSoon = 4;

const uses = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'scroll', 'touchstart'] as const;

/** What a question leads to: the next one in time or soon, a longer wait, or none. */
export type Outcome = 'answered' | 'soon' | 'failed' | 'over';

/**
 * Asks every 15 s while the page is visible and somebody makes use of it, and at once when it becomes visible or is used again.
 * Without an answer, it asks less and less often. Returns what notes a use that the page doesn’t see.
 */
export const keepAsking = (ask: () => Promise<Outcome>): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waitMs = intervalMs;
  let usedAt = Date.now();
  let askedAt = 0;
  let soonCount = 0;
  let state: 'waiting' | 'asking' | 'idle' | 'over' = 'waiting';

  const plan = (ms: number): void => {
    clearTimeout(timer);
    if (state !== 'waiting' || document.hidden) return;
    if (ms > 0) timer = setTimeout(run, ms);
    else void run();
  };
  const run = async (): Promise<void> => {
    if (Date.now() - usedAt >= idleMs) {
      state = 'idle';
      return;
    }
    state = 'asking';
    askedAt = Date.now();
    const outcome = await ask();
    if (outcome === 'over') {
      state = 'over';
      return;
    }
    waitMs = outcome === 'failed' ? Math.min(2 * waitMs, maxIntervalMs) : intervalMs;
    state = 'waiting';
    soonCount = outcome === 'soon' ? soonCount + 1 : 0;
    plan(soonCount > 0 && soonCount <= maxSoon ? minGapMs : waitMs);
  };
  const askSoon = (): void => plan(askedAt + minGapMs - Date.now());
  const noteUse = (): void => {
    usedAt = Date.now();
    if (state !== 'idle') return;
    state = 'waiting';
    askSoon();
  };

  for (const type of uses) addEventListener(type, noteUse, { capture: true, passive: true });
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) return clearTimeout(timer);
    noteUse();
    askSoon();
  });
  addEventListener('online', askSoon);
  askSoon();
  return noteUse;
};
