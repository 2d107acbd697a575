import * as z from 'zod';
import { AppError } from '../../shared/errors.ts';
import { route } from '../../shared/route.ts';
import * as markdown from './markdown.ts';

const maxSourceBytes = 256 * 1024;
const echoLength = 1_000;

const abbreviate = (source: string): string => {
  const characters = Array.from(source.slice(0, 2 * echoLength + 2));
  return characters.length > echoLength ? `${characters.slice(0, echoLength).join('')}…` : source;
};

const Conversion = z
  .object({ html: z.string(), markdown: z.string(), message: z.string() })
  .meta({ id: 'MarkdownConversion' });

export const routes = [
  route({
    endpoint: 'POST /api/markdown',
    access: 'public',
    summary: 'Convert Markdown to a complete HTML document',
    body: z.object({ markdown: z.string().min(1, 'must not be empty') }),
    output: Conversion,
    handle: async ({ body }) => {
      if (Buffer.byteLength(body.markdown) > maxSourceBytes) {
        throw new AppError('PAYLOAD_TOO_LARGE', 'The Markdown is larger than 256 KB', {
          details: [{ field: 'markdown', message: 'must have at most 256 KB of UTF-8' }],
        });
      }
      const html = markdown.toDocument(await markdown.toHtml(body.markdown));
      return { html, markdown: abbreviate(body.markdown), message: 'Converted to HTML' };
    },
  }),
];
