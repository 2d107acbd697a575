import { expect, it } from 'vitest';
import * as z from 'zod';
import { type Access, route } from '../../shared/http/route.ts';

const Output = z.object({ id: z.string() });
const basic = { summary: 'A route', output: Output } as const;
const common = { ...basic, access: 'signed-in', scope: 'none' } as const;

// None of these may compile; `tsc`, which runs with the tests, reports any that does.
const mistakes = [
  () =>
    // @ts-expect-error the path has a parameter, and params is missing
    route({ ...common, endpoint: 'GET /things/{id}', handle: async () => ({ id: '' }) }),
  () =>
    route({
      ...common,
      endpoint: 'GET /things/{id}',
      // @ts-expect-error the parameter has another name
      params: z.object({ thing: z.string() }),
      handle: async () => ({ id: '' }),
    }),
  () =>
    route({
      ...common,
      endpoint: 'GET /things',
      // @ts-expect-error the path has no parameter
      params: z.object({ id: z.string() }),
      handle: async () => ({ id: '' }),
    }),
  () =>
    route({
      ...common,
      endpoint: 'GET /things',
      // @ts-expect-error there is no such permission
      access: 'things:view',
      handle: async () => ({ id: '' }),
    }),
  () =>
    // @ts-expect-error access has no default
    route({
      endpoint: 'GET /things',
      summary: '',
      output: Output,
      handle: async () => ({ id: '' }),
    }),
  () =>
    route({
      ...basic,
      endpoint: 'GET /things',
      access: 'public',
      // @ts-expect-error a public route has no actor
      handle: async ({ actor }) => ({ id: String(actor) }),
    }),
  () =>
    route({
      ...common,
      endpoint: 'GET /things',
      access: 'optional',
      // @ts-expect-error the actor may be undefined
      handle: async ({ actor }) => ({ id: actor.sessionId }),
    }),
  () =>
    // @ts-expect-error what an API token needs is missing
    route({
      ...basic,
      endpoint: 'GET /things',
      access: 'signed-in',
      handle: async () => ({ id: '' }),
    }),
  () =>
    // @ts-expect-error the same where sign-in is optional
    route({
      ...basic,
      endpoint: 'GET /things',
      access: 'optional',
      handle: async () => ({ id: '' }),
    }),
  () =>
    route({
      ...common,
      endpoint: 'GET /things',
      // @ts-expect-error there is no such scope
      scope: 'things:view',
      handle: async () => ({ id: '' }),
    }),
  () =>
    route({
      ...basic,
      endpoint: 'GET /things',
      access: 'users:view',
      // @ts-expect-error a permission decides already
      scope: 'profile:view',
      handle: async () => ({ id: '' }),
    }),
  () =>
    route({
      ...common,
      endpoint: 'GET /things',
      // @ts-expect-error the output has another type
      handle: async () => ({ id: 1 }),
    }),
  () =>
    route({
      ...common,
      endpoint: 'GET /things',
      // @ts-expect-error no body was declared
      handle: async ({ body }) => ({ id: body.id }),
    }),
  () =>
    route({
      ...common,
      // @ts-expect-error there is no such method
      endpoint: 'FETCH /things',
      handle: async () => ({ id: '' }),
    }),
  () =>
    // @ts-expect-error it may change something, and audit is missing
    route({ ...common, endpoint: 'POST /things', handle: async () => ({ id: '' }) }),
  () =>
    // @ts-expect-error the same of one with a parameter
    route({
      ...common,
      endpoint: 'DELETE /things/{id}',
      params: z.object({ id: z.string() }),
      handle: async () => ({ id: '' }),
    }),
  () =>
    route({
      ...common,
      endpoint: 'PUT /things',
      // @ts-expect-error it names no kind of thing
      auditAction: 'update',
      handle: async () => ({ id: '' }),
    }),
  () =>
    route({
      ...common,
      endpoint: 'GET /things',
      // @ts-expect-error a GET changes nothing
      auditAction: 'thing.read',
      handle: async () => ({ id: '' }),
    }),
];

it('passes the handler values typed by the schemas', async () => {
  const made = route({
    ...basic,
    endpoint: 'PUT /things/{id}',
    access: 'users:update',
    params: z.object({ id: z.coerce.number() }),
    body: z.object({ size: z.int() }),
    auditAction: 'thing.update',
    handle: async ({ actor, params, body }) => ({
      id: `${actor.sessionId} ${params.id + body.size}`,
    }),
  });
  const access: Access = made.access;
  expect([made.method, made.path, access, made.status]).toEqual([
    'PUT',
    '/things/{id}',
    'users:update',
    200,
  ]);
  expect(mistakes).toHaveLength(18);
});
