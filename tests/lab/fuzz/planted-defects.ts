import * as z from 'zod';
import { route } from '../../../shared/http/route.ts';
import { AppError } from '../../../shared/runtime/errors.ts';

const Name = z.object({ name: z.string().max(200), count: z.int().nullish() });
const Shown = z.object({ name: z.string() });

const good = route({
  endpoint: 'POST /api/planted/good',
  access: 'users:view',
  auditAction: 'none',
  summary: 'Names what it was given',
  body: Name,
  output: Shown,
  handle: async () => ({ name: 'fine' }),
});

const failing = route({
  endpoint: 'POST /api/planted/failing',
  access: 'public',
  auditAction: 'none',
  summary: 'Fails at some names',
  body: Name,
  output: Shown,
  handle: async ({ body }) => {
    if (body.name.includes('\u0000')) throw new Error('no such character');
    return { name: 'fine' };
  },
});

const undocumented = route({
  endpoint: 'POST /api/planted/undocumented',
  access: 'public',
  auditAction: 'none',
  summary: 'Answers a status of its own',
  body: Name,
  output: Shown,
  handle: async ({ body }) => {
    if ((body.count ?? 0) > 1_000) throw new AppError('CONFLICT', 'too many');
    return { name: 'fine' };
  },
});

const guarded = route({
  endpoint: 'GET /api/planted/guarded',
  access: 'users:delete',
  summary: 'Is for few',
  output: Shown,
  handle: async () => ({ name: 'fine' }),
});

const lenient = route({
  endpoint: 'POST /api/planted/lenient',
  access: 'signed-in',
  scope: 'none',
  auditAction: 'none',
  summary: 'Takes what its document refuses',
  body: Name,
  output: Shown,
  handle: async () => ({ name: 'fine' }),
});

const echoing = route({
  endpoint: 'POST /api/planted/echoing',
  access: 'public',
  auditAction: 'none',
  summary: 'Answers whatever it is sent',
  body: Name,
  output: Shown,
  handle: async () => ({ name: 'fine' }),
});

const leaking = route({
  endpoint: 'GET /api/planted/leaking',
  access: 'public',
  summary: 'Answers what only the service knows',
  output: Shown,
  handle: async () => ({ name: process.env['JWT_SECRET'] ?? '' }),
});

/** One correct route, then one for each defect. */
export const planted = [good, failing, undocumented, guarded, lenient, echoing, leaking];

/** Routes that replace real ones and contradict their documentation. */
export const replaced = [
  { ...guarded, access: 'signed-in' as const },
  { ...lenient, body: z.unknown() },
  {
    ...echoing,
    body: z.looseObject({}),
    output: z.looseObject({ name: z.string() }),
    handle: async ({ body }: { body: unknown }) => ({ name: 'fine', ...(body as object) }),
  },
];
