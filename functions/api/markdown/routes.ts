import * as z from 'zod';
import { perNetwork } from '../../../shared/http/network-limits.ts';
import { route } from '../../../shared/http/route.ts';
import * as markdown from '../../../shared/markdown/markdown.ts';
import { AppError } from '../../../shared/runtime/errors.ts';

const maxSourceBytes = 256 * 1024;
const maxEchoLength = 1_000;

const abbreviate = (source: string): string => {
  const characters = Array.from(source.slice(0, 2 * maxEchoLength + 2));
  return characters.length > maxEchoLength
    ? `${characters.slice(0, maxEchoLength).join('')}…`
    : source;
};

const MarkdownInput = z
  .object({ markdown: z.string().min(1, 'must not be empty') })
  .meta({ id: 'MarkdownInput', examples: [{ markdown: 'Some *Markdown*' }] });

const Conversion = z.object({ html: z.string(), markdown: z.string(), message: z.string() }).meta({
  id: 'MarkdownConversion',
  examples: [
    {
      html: markdown.toDocument('<p>Some <em>Markdown</em></p>'),
      markdown: 'Some *Markdown*',
      message: 'Converted to HTML',
    },
  ],
});

export const routes = [
  route({
    endpoint: 'POST /api/markdown',
    access: 'public',
    summary: 'Convert Markdown to HTML',
    description:
      'Returns a complete, safe HTML document. Takes up to 256 KB of Markdown; nothing is stored.',
    body: MarkdownInput,
    output: Conversion,
    errors: {
      PAYLOAD_TOO_LARGE: 'The Markdown exceeds 256 KB, or the HTML exceeds 4 MB.',
      UNPROCESSABLE: 'The Markdown takes more than 1 s of CPU time to convert.',
      SERVICE_UNAVAILABLE: 'The conversion could not start within 5 s.',
    },
    tools: [
      {
        name: 'markdown_convert',
        title: 'Convert Markdown to HTML',
        description:
          'Returns Markdown as a complete HTML document and stores nothing. To publish Markdown, send it to share_create as it is.',
        hints: {
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: false,
        },
        outputs: ['html'],
        longText: 'html',
      },
    ],
    // Nothing is stored.
    auditAction: 'none',
    limits: perNetwork({ name: 'markdown', tokens: 30, perMs: 60_000, site: { tokens: 150 } }),
    handle: async ({ body }) => {
      if (Buffer.byteLength(body.markdown) > maxSourceBytes) {
        throw new AppError('PAYLOAD_TOO_LARGE', 'The Markdown is larger than 256 KB.', {
          details: [{ field: 'markdown', message: 'must be at most 256 KB (UTF-8)' }],
        });
      }
      const html = markdown.toDocument(await markdown.toHtml(body.markdown));
      return { html, markdown: abbreviate(body.markdown), message: 'Converted to HTML' };
    },
  }),
];
