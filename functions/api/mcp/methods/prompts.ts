import { invalidParams } from '../protocol/protocol-error.ts';
import { assertFirstPage, bothEras, type Method, readText } from './method.ts';

/** An hour: what it is about changes with a release. */
const ttlMs = 3_600_000;

const prompt = {
  name: 'publish_page',
  title: 'Publish this as a page',
  description: 'Publishes what you have just written as a private page, and returns its link.',
} as const;

const text = `Publish what we have just written as a page with share_create.

Write it as Markdown, or as one complete HTML document if it needs its own layout. Give it a short title. Leave out audience and readers, so that only I can open it.

Then give me the link, and ask me who else should be able to open it, and for how long. Widen it with share_update only after my answer.`;

export const promptsList: Method = {
  eras: bothEras,
  cache: { ttlMs, cacheScope: 'public' },
  run: (params) => {
    assertFirstPage(params);
    return { prompts: [prompt] };
  },
};

export const promptsGet: Method = {
  eras: bothEras,
  run: (params) => {
    if (readText(params, 'name') !== prompt.name) {
      throw invalidParams(`name must be ${prompt.name}, the only prompt`);
    }
    return {
      description: prompt.description,
      messages: [{ role: 'user', content: { type: 'text', text } }],
    };
  },
};
