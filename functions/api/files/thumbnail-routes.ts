import * as z from 'zod';
import { hashContent, matchesIfNoneMatch } from '../../../shared/http/content/etag.ts';
import { Success } from '../../../shared/http/envelope.ts';
import { Reply } from '../../../shared/http/reply.ts';
import { route } from '../../../shared/http/route.ts';
import { params, toFileResponse } from './one-file.ts';
import { getThumbnailType, maxThumbnailBytes } from './record/thumbnail.ts';
import { File } from './schemas.ts';
import { readThumbnail, storeThumbnail } from './thumbnail.ts';

const base64 = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/;

const maxText = Math.ceil(maxThumbnailBytes / 3) * 4;

/** The smallest WebP there is: one pixel. */
const exampleImage = 'UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA';

const ThumbnailInput = z
  .object({
    image: z
      .string()
      .regex(base64, 'must be base64')
      .max(maxText, `must be at most ${maxText} characters, which is 12 KB`)
      .refine(
        (text) => getThumbnailType(Buffer.from(text, 'base64')) !== undefined,
        'must be a WebP, JPEG or PNG',
      )
      .meta({ description: 'A WebP, JPEG or PNG of up to 12 KB, in base64.' }),
  })
  .meta({ id: 'ThumbnailInput', examples: [{ image: exampleImage }] });

const dayInSeconds = 86_400;

export const thumbnailRoutes = [
  route({
    endpoint: 'PUT /api/files/{id}/thumbnail',
    access: 'files:create',
    summary: 'Update a thumbnail',
    description:
      'Stores a small picture of an image, which lists show. Only its owner can do this. SVG has none.',
    params,
    body: ThumbnailInput,
    output: Success(File),
    errors: { CONFLICT: 'The file is not an image, or an SVG.' },
    auditAction: 'none',
    handle: async ({ actor, params: { id }, body: { image } }) =>
      toFileResponse(
        actor,
        await storeThumbnail(actor, id, Buffer.from(image, 'base64')),
        'Thumbnail saved',
      ),
  }),
  route({
    endpoint: 'GET /api/files/{id}/thumbnail',
    access: 'files:view',
    summary: 'Get a thumbnail',
    description:
      'Returns the small picture of an image to everyone who can read the file: a WebP, JPEG or PNG, as its `Content-Type` says.',
    params,
    headers: z.object({ 'if-none-match': z.string().optional() }),
    output: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
    produces: 'image',
    handle: async ({ actor, params: { id }, headers }) => {
      const bytes = await readThumbnail(actor, id);
      const etag = `"${hashContent(bytes)}"`;
      const common = {
        etag,
        'cache-control': `private, max-age=${dayInSeconds}`,
        vary: 'authorization, cookie',
      };
      if (matchesIfNoneMatch(headers['if-none-match'], etag)) {
        return new Reply(new Uint8Array(), { status: 304, headers: common });
      }
      const type = getThumbnailType(bytes) ?? 'application/octet-stream';
      return new Reply(bytes, { headers: { ...common, 'content-type': type } });
    },
  }),
];
