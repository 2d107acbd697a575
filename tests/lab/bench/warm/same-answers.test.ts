import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { bundle } from './build.ts';
import { frameworks } from './frameworks.ts';
import { assertSameAnswers, createEvents } from './same-answers.ts';

// Outside the project, because its package.json would make Node read CommonJS files as ESM.
const outdir = mkdtempSync(join(tmpdir(), 'handbill-same-answers-'));

afterAll(() => rmSync(outdir, { recursive: true, force: true }));

it('the endpoints of the warm benchmark do what the service does', async () => {
  const files = new Map<string, string>();
  // The other frameworks share the endpoints of the bare handler.
  for (const name of ['bare', 'ours']) {
    const contender = frameworks[name];
    if (contender) files.set(name, await bundle(contender, 'client', join(outdir, name)));
  }
  expect(files.size).toBe(2);
  await assertSameAnswers(files, createEvents());
});
