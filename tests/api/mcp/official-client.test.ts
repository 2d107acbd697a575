import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listGroups } from '../../../functions/routes.ts';
import { createGateway } from '../../../infra/local/gateway.ts';
import { useServer } from '../../support/run/server.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { useTable } from '../../support/table/table.ts';
import { createApiToken } from '../../support/users/account.ts';
import { usePeople } from '../../support/users/use-people.ts';

useTable();
useBucket();
useJobs();
const server = useServer(createGateway(listGroups('service'), () => undefined));
const { author, other } = usePeople({ author: 'user', other: 'user' });

/** How the client finds out which revision the service speaks, and which one it then speaks. */
const eras = [
  ['2026-07-28', { pin: '2026-07-28' }],
  ['2026-07-28', 'auto'],
  ['2025-11-25', 'legacy'],
] as const;

type Mode = (typeof eras)[number][1];

const connect = async (mode: Mode, token: string): Promise<Client> => {
  const client = new Client(
    { name: 'Official', version: '1.0.0' },
    { versionNegotiation: { mode } },
  );
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const url = new URL(`${server.origin}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  onTestFinished(() => client.close());
  return client;
};

const firstText = (result: { readonly content: readonly object[] }): string =>
  String((result.content[0] as { text?: unknown } | undefined)?.text);

describe.each(eras)('the official client, by the revision %s (%j)', (version, mode) => {
  it('connects and learns what the service is', async () => {
    const client = await connect(mode, author.token);
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect(client.getServerVersion()).toMatchObject({ name: 'handbill', title: 'Handbill' });
    expect(client.getServerCapabilities()).toEqual({ tools: {}, resources: {}, prompts: {} });
    expect(client.getInstructions()).toContain('Shares are private');
  });

  it('publishes, reads and lists by tools', async () => {
    const client = await connect(mode, author.token);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['share_create', 'share_read', 'share_list']),
    );
    const created = await client.callTool({
      name: 'share_create',
      arguments: { content: '# Hi', language: 'markdown', title: 'Plan' },
    });
    expect(created.isError, firstText(created)).toBeFalsy();
    const { id } = created.structuredContent as { id: string };
    const read = await client.callTool({ name: 'share_read', arguments: { id } });
    expect(firstText(read)).toContain('# Hi');
    const { resources } = await client.listResources();
    expect(resources).toContainEqual(
      expect.objectContaining({ uri: `handbill://share/${id}`, title: 'Plan' }),
    );
    const { contents } = await client.readResource({ uri: `handbill://share/${id}` });
    expect(contents).toEqual([
      {
        uri: `handbill://share/${id}`,
        mimeType: 'text/plain',
        text: expect.stringContaining('# Hi'),
      },
    ]);
  });

  it('gets prompts and templates', async () => {
    const client = await connect(mode, author.token);
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ title }) => title)).toEqual(['Publish this as a page']);
    const { messages } = await client.getPrompt({ name: 'publish_page' });
    expect(messages).toHaveLength(1);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map((one) => one.uriTemplate)).toEqual(['handbill://share/{id}']);
  });

  it('gets errors it can tell apart', async () => {
    const client = await connect(mode, author.token);
    await expect(client.callTool({ name: 'share_destroy', arguments: {} })).rejects.toThrow(
      'name is not that of a tool',
    );
    const failed = await client.callTool({
      name: 'share_create',
      arguments: { content: '', language: 'html' },
    });
    expect([failed.isError, firstText(failed)]).toEqual([true, expect.stringContaining('content')]);
    const uri = 'handbill://share/mZ3kP0cWbq7x1VvH9sTt2A';
    await expect(client.readResource({ uri })).rejects.toMatchObject({
      code: -32_602,
      data: { uri },
    });
  });

  it('finds no share of another user', async () => {
    const owner = await connect(mode, author.token);
    const created = await owner.callTool({
      name: 'share_create',
      arguments: { content: 'Secret', language: 'markdown' },
    });
    const { id } = created.structuredContent as { id: string };
    const client = await connect(mode, other.token);
    const read = await client.callTool({ name: 'share_read', arguments: { id } });
    expect([read.isError, firstText(read)]).toEqual([true, expect.stringContaining('NOT_FOUND')]);
    expect((await client.listResources()).resources).toEqual([]);
  });

  it('is offered what its token may do', async () => {
    const { token } = (await createApiToken(author.token, { permissions: ['shares:view'] })).body
      .data;
    const client = await connect(mode, token);
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toContain('share_read');
    expect(names).not.toContain('share_create');
    const refused = await client.callTool({
      name: 'share_create',
      arguments: { content: 'x', language: 'markdown' },
    });
    expect([refused.isError, firstText(refused)]).toEqual([
      true,
      expect.stringContaining('shares:create'),
    ]);
  });

  it('is told to authenticate', async () => {
    await expect(connect(mode, 'none')).rejects.toThrow();
  });
});
