/**
 * Runs something once what has just been changed is rendered, and before the next key arrives: components render in a
 * microtask, which was queued by the change.
 */
export const afterRendering = (run: () => unknown): void => queueMicrotask(() => void run());
