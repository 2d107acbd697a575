import { describe, expect, it, vi } from 'vitest';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { call } from '../../support/service/call.ts';
import { errorBody } from '../../support/service/error-body.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { login, newUserOf, password } from '../../support/users/test-users.ts';
import { usePeople } from '../../support/users/use-people.ts';
import {
  ask,
  createWebhook,
  getWebhook,
  hookUrl,
  newWebhook,
  readUser,
} from '../../support/webhooks/webhooks.ts';

useTable();
useVirtualTime('2026-11-21T12:00:00Z');
const { ann } = usePeople({ ann: 'user' });

describe('POST /api/webhooks', () => {
  it('creates a webhook whose secret is shown only now', async () => {
    const { status, body, headers } = await createWebhook(ann, {
      url: hookUrl,
      label: 'Deploys',
      events: ['share.reported', 'share.opened', 'share.opened'],
    });
    expect([status, body.message]).toEqual([201, 'Copy the secret now. It won’t be shown again.']);
    expect(body.data).toEqual({
      id: expect.any(Number),
      url: hookUrl,
      label: 'Deploys',
      events: ['share.opened', 'share.reported'],
      format: 'json',
      status: 'working',
      active: true,
      pausedBy: null,
      failures: 0,
      failingSince: null,
      lastDelivery: null,
      createdAt: '2026-11-21T12:00:00.000Z',
      updatedAt: '2026-11-21T12:00:00.000Z',
      version: 1,
      secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/),
    });
    expect(headers['etag']).toMatch(/^"1-/);
    const { secret: _, ...shown } = body.data;
    expect(await getWebhook(ann, body.data.id)).toEqual(shown);
    expect((await ask(ann, 'GET /api/webhooks')).body.data).toEqual([shown]);
  });

  it('says on the record of its owner what the active ones want', async () => {
    const owner = await newUserOf('user');
    const wanted = async () => (await readUser(owner.id)).webhookEvents;
    expect(await wanted()).toBeUndefined();
    const first = await newWebhook(owner, { events: ['share.opened'] });
    const second = await newWebhook(owner, { events: ['message.received'] });
    expect(await wanted()).toEqual(['message.received', 'share.opened']);
    await newWebhook(owner, { events: ['*'], active: false });
    expect(await wanted()).toEqual(['message.received', 'share.opened']);
    await ask(owner, 'DELETE /api/webhooks/{id}', first);
    expect(await wanted()).toEqual(['message.received']);
    await ask(owner, 'PUT /api/webhooks/{id}', second, { body: { events: ['*', 'share.opened'] } });
    expect(await wanted()).toEqual(['*']);
    await ask(owner, 'PUT /api/webhooks/{id}', second, { body: { active: false } });
    expect(await wanted()).toBeUndefined();
  });

  it('takes 20 of a user, however many are made at once', async () => {
    const owner = await newUserOf('user');
    for (let made = 0; made < 18; made++) await newWebhook(owner);
    const answers = await Promise.all([1, 2, 3, 4].map(() => createWebhook(owner)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201).length).toBe(2);
    expect(statuses.filter((status) => status === 409).length).toBe(2);
    expect((await ask(owner, 'GET /api/webhooks')).body.data).toHaveLength(20);
    expect((await createWebhook(owner)).body).toMatchObject(
      errorBody('CONFLICT', 'You can have up to 20 webhooks. Delete one first.'),
    );
  });

  it.each([
    ['http://app.example.com/', 'must start with https://'],
    ['https://app.example.com:8443/', 'must have no port, as only 443 is asked'],
    ['https://ann:secret@app.example.com/', 'must have no user name and no password'],
    ['https://app.example.com/#a', 'must have no fragment'],
    ['app.example.com', 'must be an https address'],
  ])('refuses %s, which %s', async (url, message) => {
    const { status, body } = await createWebhook(ann, { url });
    expect([status, body.error.details]).toEqual([400, [{ field: 'url', message }]]);
  });

  it('says of an address nearby that it isn’t public', async () => {
    const { status, body } = await createWebhook(ann, { url: 'https://169.254.169.254/latest' });
    expect([status, body]).toMatchObject([
      400,
      errorBody('VALIDATION_ERROR', 'This address isn’t public.', [
        { field: 'url', message: 'must have a host on the public internet' },
      ]),
    ]);
  });

  it('refuses what is no event, and without the right what the audit has', async () => {
    const unknown = await createWebhook(ann, { events: ['share.eaten'] });
    expect(unknown.body.error.details).toEqual([
      {
        field: 'events.0',
        message: 'must be * or a type that GET /api/webhooks/events returns',
      },
    ]);
    expect((await createWebhook(ann, { events: [] })).status).toBe(400);
    expect((await createWebhook(ann, { events: ['user.create'] })).body).toMatchObject(
      errorBody('FORBIDDEN', 'Missing permission: webhooks:manage.'),
    );
  });

  it('lists the active ones that want names of the audit, for those who may hear of them', async () => {
    const manager = await newUserOf('user', { extraPermissions: ['webhooks:manage'] });
    const listed = async () =>
      (await itemsOf('WEBHOOKS#AUDIT')).map(({ userId, hookId, events }) => [
        userId,
        hookId,
        events,
      ]);
    const { id } = await newWebhook(manager, { events: ['user.create', 'share.opened'] });
    expect(await listed()).toEqual([[manager.id, id, ['user.create']]]);
    await ask(manager, 'PUT /api/webhooks/{id}', { id }, { body: { active: false } });
    expect(await listed()).toEqual([]);
    await ask(manager, 'PUT /api/webhooks/{id}', { id }, { body: { active: true } });
    await ask(manager, 'DELETE /api/webhooks/{id}', { id });
    expect(await listed()).toEqual([]);
  });

  it('is for sessions: a token must not set up a standing way out', async () => {
    const { body } = await call('POST /api/auth/tokens', {
      token: ann.token,
      body: { name: 'Script' },
    });
    expect((await createWebhook({ token: body.data.token })).status).toBe(403);
  });

  it('has an address once of a user', async () => {
    const owner = await newUserOf('user');
    await newWebhook(owner, { url: hookUrl });
    const { id } = await newWebhook(owner);
    const refused = [
      await createWebhook(owner, { url: hookUrl, format: 'text' }),
      await ask(owner, 'PUT /api/webhooks/{id}', { id }, { body: { url: hookUrl } }),
    ];
    for (const { status, body } of refused) {
      expect([status, body]).toMatchObject([
        409,
        errorBody('CONFLICT', 'You have a webhook with this address already.', [
          { field: 'url', message: 'must be an address that none of your webhooks has' },
        ]),
      ]);
    }
    expect((await createWebhook(await newUserOf('user'), { url: hookUrl })).status).toBe(201);
  });

  it('refuses addresses of the service itself', async () => {
    vi.stubEnv('PUBLIC_URL', 'https://handbill.example.com');
    vi.stubEnv('SNIPPETS_URL', 'https://snippets.example.com');
    const { id } = await newWebhook(ann);
    const own = [
      'https://HANDBILL.example.com/s/k3xV9pQ2mT0a/view',
      'https://snippets.example.com/',
    ];
    for (const url of own) {
      const answers = [
        await createWebhook(ann, { url }),
        await ask(ann, 'PUT /api/webhooks/{id}', { id }, { body: { url } }),
      ];
      for (const { status, body } of answers) {
        expect([status, body.error.details]).toEqual([
          400,
          [{ field: 'url', message: 'must not be an address of this service' }],
        ]);
      }
    }
    vi.unstubAllEnvs();
  });

  it('is off where the setting says so', async () => {
    process.env['WEBHOOKS'] = 'off';
    const { status, body } = await createWebhook(await newUserOf('user'));
    process.env['WEBHOOKS'] = '';
    expect([status, body.error.message]).toEqual([
      409,
      'Webhooks are switched off here (the setting WEBHOOKS).',
    ]);
  });
});

describe('PUT /api/webhooks/{id}', () => {
  it('changes what is sent, if the version is as expected', async () => {
    const { id } = await newWebhook(ann);
    const body = { url: 'https://app.example.com/other', label: null, format: 'text' };
    const wrong = { body, headers: { 'if-match': '"7"' } };
    expect((await ask(ann, 'PUT /api/webhooks/{id}', { id }, wrong)).status).toBe(412);
    const changed = await ask(
      ann,
      'PUT /api/webhooks/{id}',
      { id },
      {
        body,
        headers: { 'if-match': '"1"' },
      },
    );
    expect(changed.body.data).toMatchObject({ ...body, version: 2 });
  });

  it('writes nothing if nothing changes, or all is sent back', async () => {
    const { secret: _, ...webhook } = await newWebhook(ann, { events: ['share.opened'] });
    const { body } = await ask(ann, 'PUT /api/webhooks/{id}', webhook, { body: webhook });
    expect(body.data).toEqual(webhook);
  });

  it('is a 404 for someone else, and for what doesn’t exist', async () => {
    const { id } = await newWebhook(ann);
    const other = await newUserOf('super_admin');
    for (const endpoint of [
      'GET /api/webhooks/{id}',
      'PUT /api/webhooks/{id}',
      'DELETE /api/webhooks/{id}',
      'POST /api/webhooks/{id}/secret',
      'POST /api/webhooks/{id}/test',
      'POST /api/webhooks/{id}/redeliver',
      'GET /api/webhooks/{id}/deliveries',
    ]) {
      const options = endpoint.startsWith('PUT') ? { body: { active: false } } : {};
      expect([endpoint, (await ask(other, endpoint, { id }, options)).status]).toEqual([
        endpoint,
        404,
      ]);
    }
  });
});

describe('the audit log', () => {
  it('has each change, of the address only its host, and never the secret', async () => {
    const owner = await newUserOf('user');
    const root = await newUserOf('super_admin');
    const { id, secret } = await newWebhook(owner, { label: 'Chat' });
    pass(1);
    await ask(owner, 'PUT /api/webhooks/{id}', { id }, { body: { url: `${hookUrl}&more=1` } });
    pass(1);
    const renewed = await ask(owner, 'POST /api/webhooks/{id}/secret', { id });
    pass(1);
    await ask(owner, 'POST /api/webhooks/{id}/test', { id });
    pass(1);
    await ask(owner, 'DELETE /api/webhooks/{id}', { id });
    const { body } = await call('GET /api/audit', {
      token: root.token,
      query: { subject: `webhook:${id}` },
    });
    const entries = body.data.items.toReversed();
    expect(
      entries.map(({ action, before, after }: Record<string, unknown>) => [action, before, after]),
    ).toEqual([
      [
        'webhook.create',
        null,
        {
          host: 'app.example.com',
          label: 'Chat',
          events: ['*'],
          format: 'json',
          active: true,
          pausedBy: null,
        },
      ],
      ['webhook.update', {}, { pathChanged: true }],
      ['webhook.renew-secret', {}, { formerSecretUntil: expect.any(String) }],
      ['webhook.test', null, { delivery: expect.any(String) }],
      ['webhook.delete', expect.objectContaining({ host: 'app.example.com' }), null],
    ]);
    const text = JSON.stringify(entries);
    for (const hidden of ['secret-path', secret, renewed.body.data.secret]) {
      expect(text).not.toContain(hidden);
    }
  });
});

describe('what ends API tokens', () => {
  it('ends webhooks: nobody sees them any more, and nothing is told', async () => {
    const owner = await newUserOf('user');
    const { id } = await newWebhook(owner);
    await call('PUT /api/auth/password', {
      token: owner.token,
      body: { currentPassword: password, password: 'another horse', scope: 'all' },
    });
    const { token } = (await login(owner.email, 'another horse')).body;
    expect((await ask({ token }, 'GET /api/webhooks')).body.data).toEqual([]);
    expect((await ask({ token }, 'GET /api/webhooks/{id}', { id })).status).toBe(404);
    await newWebhook({ token }, { events: ['share.opened'] });
    expect((await readUser(owner.id)).webhookEvents).toEqual(['share.opened']);
    expect(await itemsOf(`USER#${owner.id}`)).not.toContainEqual(expect.objectContaining({ id }));
  });
});
