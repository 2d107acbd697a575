import * as z from 'zod';
import {
  Representation,
  represent,
  representationHeaders,
} from '../../../../shared/http/content-negotiation.ts';
import { route } from '../../../../shared/http/route.ts';
import { newUploadKey, signUpload } from '../../../api/files/uploads/objects.ts';
import { pagePolicy } from '../../layout/layout.ts';
import { filesPage } from './files-page.ts';

/** Where the forms of uploads are sent, as they name it themselves. Nothing is asked of S3. */
const uploadUrl = async (): Promise<string> => {
  const terms = { size: 0, contentType: '', checksum: undefined, expiresIn: 1 };
  return (await signUpload(newUploadKey(), terms)).url;
};

/** The policy of the page, which may send files to the bucket, too, and to nothing beside it. */
export const policy = async (): Promise<string> => pagePolicy({ connects: await uploadUrl() });

export const pageRoutes = [
  route({
    endpoint: 'GET /files',
    access: 'public',
    summary: 'Show the files page',
    description: 'The page contains no user data; its script calls the API.',
    headers: z.object(representationHeaders),
    output: Representation,
    produces: 'html',
    handle: async ({ headers }) =>
      represent(filesPage(), headers, {
        isPublic: true,
        headers: {
          'content-security-policy': await policy(),
          'cross-origin-opener-policy': 'same-origin',
        },
      }),
  }),
];
