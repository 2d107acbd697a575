import type { Request } from 'playwright-core';
import { type Rendered, render } from '../../../../../shared/markdown/markdown.ts';

/** How many inputs are on a page or in frames at a time. */
const groupSize = 25;

/** Divides inputs, or what became of them, into groups. */
export const toGroups = (inputs: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(inputs.length / groupSize) }, (_, at) =>
    inputs.slice(at * groupSize, (at + 1) * groupSize),
  );

/** Names an input in a failure. */
export const short = (input: string): string => JSON.stringify(input.slice(0, 200));

/** Whether a request is one that an author's text may cause. */
export const isHttpsImage = (request: Request): boolean =>
  request.resourceType() === 'image' && request.url().startsWith('https://');

/** Converts inputs as the content of shares. */
export const renderAll = async (inputs: readonly string[]): Promise<Rendered[]> => {
  const all: Rendered[] = [];
  for (const input of inputs) {
    all.push(await render(input, { field: 'content', cpuMs: 20_000 }));
  }
  return all;
};

/** Nothing else than this machine answers the browser. */
export const offline = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1';
