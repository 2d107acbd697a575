import { afterEach, describe, expect, it, vi } from 'vitest';
import { assistantOf, newAssistant } from '../../../support/mcp/call-tool.ts';
import { useVirtualTime } from '../../../support/run/virtual-time.ts';
import { useBucket } from '../../../support/s3/local-s3.ts';
import { call } from '../../../support/service/call.ts';
import { useJobs } from '../../../support/service/jobs.ts';
import { sharesOf } from '../../../support/shares/requests.ts';
import { useTable } from '../../../support/table/table.ts';
import { newPerson, newUserOf } from '../../../support/users/test-users.ts';
import { useNewPeople } from '../../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00Z');
useTable();
useBucket();
useJobs();

const { ann, bob } = useNewPeople({ ann: newPerson, bob: newPerson });

afterEach(() => vi.unstubAllEnvs());

const folder = {
  page: '<link rel="stylesheet" href="style.css"><img src="img/dot.png"><h1>Plan</h1>',
  style: 'h1 { color: teal }',
  dot: Buffer.from('89504e470d0a1a0a0000', 'hex').toString('base64'),
};

describe('an assistant with a token to publish private pages', () => {
  it('publishes a folder, shows who opened it, widens it, is refused, updates after a 412, and ends it', async () => {
    const { get, fail, names } = await newAssistant(ann);
    expect(await names()).toEqual([
      'markdown_convert',
      'share_create',
      'share_file_put',
      'share_files',
      'share_link_create',
      'share_list',
      'share_read',
      'share_receipts',
      'share_update',
    ]);

    const made = await get('share_create', {
      content: folder.page,
      language: 'html',
      title: 'Plan',
    });
    expect(made).toMatchObject({ audience: 'private', url: expect.stringContaining(made.id) });
    const { id } = made;
    const missing = (await get('share_file_put', { id, path: 'style.css', content: folder.style }))
      .missing;
    expect(missing).toEqual([{ path: 'img/dot.png', from: 'index.html', line: 1 }]);
    const put = await get('share_file_put', { id, path: 'img/dot.png', base64: folder.dot });
    expect([put.missing, put.fileTotals.count]).toEqual([undefined, 3]);
    expect((await get('share_files', { id })).files).toHaveLength(3);
    expect((await call('GET /api/share', { query: { id }, token: bob.token })).status).toBe(404);

    const widened = await get('share_update', {
      ...{ id, version: put.version },
      ...{ audience: 'people', readers: [bob.id] },
    });
    expect(widened).toMatchObject({ audience: 'people', version: 4 });
    expect((await call('GET /api/share', { query: { id }, token: bob.token })).status).toBe(200);
    const { readers } = await get('share_receipts', { id });
    expect(readers).toMatchObject([{ id: bob.id, times: 1 }]);

    const read = await get('share_read', { id });
    expect(read).toMatchObject({ version: 4, views: 1, content: folder.page, title: 'Plan' });
    expect(await sharesOf(ann).put(id, { title: 'Another plan' })).toMatchObject({ status: 200 });
    const stale = { id, version: read.version, content: '<h1>New</h1>' };
    expect(await fail('share_update', stale)).toBe(
      `PRECONDITION_FAILED: The resource was modified. Fetch it and try again.
- version must be the current version
Next: It was changed after you read it. Read it again with share_read, put your change into what it says now, and send its new version.`,
    );
    const again = await get('share_read', { id });
    expect(again).toMatchObject({ version: 5, title: 'Another plan' });
    expect(await get('share_update', { ...stale, version: 5 })).toMatchObject({ version: 6 });

    expect(await fail('share_end', { id })).toContain('The API token lacks shares:delete.');
    const ending = await newAssistant(ann, ['shares:delete']);
    expect(await ending.get('share_end', { id })).toMatchObject({ id, status: 'ended', views: 1 });
    expect(await fail('share_update', { id, version: 7, title: 'Late' })).toMatch(/^GONE: /);
  });
});

describe('the audience of a tool’s share', () => {
  it.each([
    [{}, 'private'],
    [{ audience: null }, 'private'],
    [{ audience: '' }, 'private'],
    [{ audience: ' ' }, 'private'],
    [{ readers: [] }, 'private'],
    [{ readers: null }, 'private'],
    [{ readers: '' }, 'private'],
    [{ audience: '', readers: '' }, 'private'],
    [{ audience: 'link' }, 'link'],
    [{ audience: 'private' }, 'private'],
  ])('with %j is %s', async (options, audience) => {
    const { get } = await newAssistant(ann);
    const made = await get('share_create', { content: 'Hi', language: 'markdown', ...options });
    expect(made.audience).toBe(audience);
  });

  it.each([null, '', ' '])('stays as it is with %j', async (audience) => {
    const { get } = await newAssistant(ann);
    const { id } = await get('share_create', { content: 'Hi', language: 'markdown' });
    const changed = await get('share_update', { id, version: 1, title: 'New', audience });
    expect(changed).toMatchObject({ title: 'New', audience: 'private' });
  });

  it('with readers who are blank is refused', async () => {
    const { fail } = await newAssistant(ann);
    const page = { content: 'Hi', language: 'markdown' };
    expect(await fail('share_create', { ...page, readers: [''] })).toContain('- readers');
  });

  it('with readers is for them', async () => {
    const { get } = await newAssistant(ann);
    const made = await get('share_create', {
      ...{ content: 'Hi', language: 'markdown' },
      readers: [bob.id],
    });
    expect(made.audience).toBe('people');
  });

  it('is no wider than the ceiling of the token, whose rule the refusal names', async () => {
    const { get, fail } = await newAssistant(ann, ['shares:*'], {
      maxAudience: 'private',
      maxAge: 7 * 86_400,
      sharesPerDay: 1,
    });
    const page = { content: 'Hi', language: 'markdown' };
    const refusal = await fail('share_create', { ...page, audience: 'link' });
    expect(refusal).toBe(
      `FORBIDDEN: This token may publish only private pages.
Next: Stay within this rule of the token, or ask the person to allow the token more. Don’t try to get around it.`,
    );
    const { id } = await get('share_create', page);
    expect((await get('share_read', { id })).expiresAt).toBe('2026-11-28T12:00:00.000Z');
    expect(await fail('share_update', { id, version: 1, audience: 'link' })).toContain(
      'This token may publish only private pages.',
    );
    expect(await fail('share_link_create', { id, label: 'Mei' })).toContain('FORBIDDEN');
    expect(await fail('share_create', page)).toContain('1 share a day');
  });
});

describe('a call that is repeated', () => {
  it('creates one share by its requestId, and says if another call had it', async () => {
    const { get, fail } = await newAssistant(ann);
    const page = { content: 'Hi', language: 'markdown', requestId: 'first try' };
    expect(await fail('share_create', page)).toContain('- requestId must be');
    const first = await get('share_create', { ...page, requestId: 'first' });
    expect((await get('share_create', { ...page, requestId: 'first' })).id).toBe(first.id);
    expect(await fail('share_create', { ...page, content: 'Other', requestId: 'first' })).toMatch(
      /^UNPROCESSABLE: .*\n- requestId must be new for a different body\n/,
    );
    expect((await sharesOf(ann).list()).body.total).toBe(1);
  });
});

describe('an error', () => {
  const page = { content: 'Hi', language: 'markdown' };

  it('says how long to wait', async () => {
    const { get, fail } = await newAssistant(ann);
    vi.stubEnv('RATE_LIMIT_FACTOR', '1');
    for (let at = 0; at < 30; at += 1) await get('share_create', page);
    expect(await fail('share_create', page)).toBe(
      `RATE_LIMITED: Too many requests. Try again in 20 seconds.
Next: Wait 20 s before you call it again, and tell the person that it takes so long.`,
    );
  });

  it('proposes what is free', async () => {
    const { get, fail } = await newAssistant(ann);
    await get('share_create', { ...page, slug: 'plan-of-june' });
    expect(await fail('share_create', { ...page, slug: 'plan-of-june' })).toMatch(
      /^CONFLICT: .*\n- slug .*\nNext: If arguments are named, choose/s,
    );
  });

  it('says how to send what is too large', async () => {
    const { get, fail } = await newAssistant(ann);
    const { id } = await get('share_create', page);
    const content = 'a'.repeat(4 * 1024 * 1024 + 1);
    expect(await fail('share_file_put', { id, path: 'a.txt', content })).toMatch(
      /^PAYLOAD_TOO_LARGE: .*\nNext: Move styles.*share_file_put/s,
    );
  });
});

describe('behind the CDN', () => {
  it('a tool needs no secret, which the door has checked', async () => {
    const { get } = await newAssistant(ann);
    vi.stubEnv('EDGE_SECRET_HASHES', 'a'.repeat(64));
    expect((await get('share_list')).items).toEqual([]);
  });
});

describe('the audit log', () => {
  it('says the token, the client and the tool', async () => {
    const { get } = await newAssistant(ann);
    const { id } = await get('share_create', { content: 'Hi', language: 'markdown' });
    const admin = await newUserOf('super_admin');
    const { body } = await call('GET /api/audit', {
      token: admin.token,
      query: { subject: `share:${id}` },
    });
    expect(body.data.items).toMatchObject([
      {
        action: 'share.create',
        actor: { id: ann.id },
        token: { name: expect.any(String) },
        via: { client: 'Test client', tool: 'share_create' },
      },
    ]);
  });
});

describe('a session', () => {
  it('may call all tools that its user may', async () => {
    const names = await assistantOf(ann.token).names();
    expect(names).toContain('share_end');
    expect(names).not.toContain('document_create');
  });
});
