import { expect } from 'vitest';
import { connect } from '../../../support/apps/apps.ts';
import { modern } from '../../../support/mcp/messages.ts';
import { typicalInputs } from '../../../support/mcp/typical-inputs.ts';
import { call } from '../../../support/service/call.ts';
import { sharesOf } from '../../../support/shares/requests.ts';
import { newPerson, newUserOf } from '../../../support/users/test-users.ts';
import { deployment } from '../deployment.ts';
import { type Flows, large } from './flow.ts';

/** Calls a tool, and returns the id in its result. */
const use = async (token: string, name: string, input: object): Promise<string> => {
  const { status, body } = await modern(token, 'tools/call', { name, arguments: input });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.result.isError, JSON.stringify(body.result)).toBeUndefined();
  return body.result.structuredContent?.id;
};

/** Restarts the function of the tools with changed settings; without any, with its own. */
const restart = (set: Readonly<Record<string, string>> = {}) =>
  deployment().processes.get('mcp')?.restart({ set });

export const assistantFlows: Flows = {
  'each tool to an assistant': async () => {
    const ann = await newUserOf('super_admin');
    const content = large();
    const share = await sharesOf(ann).newShare({ audience: 'private', content });
    const document = await call('POST /api/documents', {
      token: ann.token,
      body: { title: 'Minutes', type: 'text', content },
    });
    const inputs = typicalInputs(share, document.body.data.id);
    for (const [name, input] of Object.entries(inputs)) await use(ann.token, name, input);
    await use(ann.token, 'share_create', { content, language: 'markdown' });
    await use(ann.token, 'document_create', { title: 'Long', content });
  },
  'tools that say who can open a share': async () => {
    const [ann, bob] = [await newPerson(), await newPerson()];
    const note = { content: '# Hi', language: 'markdown' };
    const named = { ...note, readers: [bob.email], slug: 'by-an-assistant', requestId: 'one' };
    const id = await use(ann.token, 'share_create', named);
    expect(await use(ann.token, 'share_create', named)).toBe(id);
    const mailed = { id, email: 'mei@example.com', send: true, verify: true };
    await use(ann.token, 'share_link_create', mailed);
    await restart({ REGISTRATION: 'invite' });
    await use(ann.token, 'share_update', { id, version: 1, audience: 'members', readers: null });
    await restart();
  },
  'a tool that reads a page among files': async () => {
    const { token } = await newPerson();
    const page = { content: large(), language: 'html' };
    const id = await use(token, 'share_create', page);
    await use(token, 'share_file_put', { id, path: 'index.html', content: large() });
    await use(token, 'share_file_put', { id, path: 'a.css', content: 'p {}' });
    await use(token, 'share_file_put', { id, path: 'other.html', content: large() });
    await use(token, 'share_update', { id, version: 4, main: 'other.html' });
    await use(token, 'share_read', { id });
  },
  'the tools to a connected app': async () => {
    const { access } = await connect(await newUserOf('user'));
    await use(access, 'share_create', { content: '# Hi', language: 'markdown' });
  },
};
