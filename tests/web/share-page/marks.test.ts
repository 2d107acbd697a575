import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { createLinkId } from '../../../functions/api/share/record/links.ts';
import { listGroups } from '../../../functions/routes.ts';
import { fallbackPages } from '../../../functions/web/fallback/pages.ts';
import { createGateway } from '../../../infra/local/gateway.ts';
import { createCdn } from '../../support/edge/cdn.ts';
import { useEdgeSecret } from '../../support/edge/edge-secret.ts';
import { useServer } from '../../support/run/server.ts';
import { intakeOf } from '../../support/shares/intake.ts';
import { sharesOf } from '../../support/shares/requests.ts';
import { useTable } from '../../support/table/table.ts';
import { newPerson } from '../../support/users/test-users.ts';

useTable();

describe('The address of a share with marks behind it', () => {
  const serve = () =>
    createGateway(listGroups('service'), () => undefined, { failurePage: fallbackPages.service });
  const origin = useServer(serve());

  const ask = async (path: string, method = 'GET', port = origin.port) => {
    const request = httpRequest({
      host: '127.0.0.1',
      port,
      method,
      path,
      headers: { connection: 'close' },
    });
    request.end();
    const [response] = await once(request, 'response');
    return {
      status: response.statusCode,
      to: response.headers.location,
      headers: response.headers,
      text: await text(response),
    };
  };
  const newShare = async (body: object = {}) =>
    sharesOf(await newPerson()).newShare({ content: '<b>Hi</b>', ...body });

  it('leads to the share: after a full stop, a comma, a bracket, a slash, a closing quote, several, encoded or not', async () => {
    const id = await newShare();
    const endings = [
      '.',
      ',',
      ')',
      '>',
      '/',
      '"',
      "'",
      '%22',
      '%27',
      '%E2%80%9D',
      '%e2%80%99',
      '%C2%BB',
      '%3E',
      ').',
      '/.,',
      '%22.',
      '//',
    ];
    for (const ending of endings) {
      const { status, to } = await ask(`/s/${id}${ending}`);
      expect([status, to], ending).toEqual([308, `/s/${id}`]);
      expect((await ask(`/s/${id}${ending}`, 'HEAD')).to, ending).toBe(`/s/${id}`);
    }
    expect((await ask(`/s/${id}`)).status).toBe(200);
  });

  it('keeps the query, leads to a name and to the raw text, and to a recipient link', async () => {
    await newShare({ slug: 'team-notes' });
    expect((await ask('/s/team-notes).?download&x=%22')).to).toBe('/s/team-notes?download&x=%22');
    expect((await ask('/s/team-notes/raw.')).to).toBe('/s/team-notes/raw');
    expect((await ask('/s/team-notes/raw?download=page&x=1')).status).toBe(200);
    const link = createLinkId();
    expect((await ask(`/s/${link}).`)).to).toBe(`/s/${link}`);
    expect((await ask(`/s/${link}/report%22`)).to).toBe(`/s/${link}/report`);
    expect((await ask('/s/team-notes?x=abc).')).to).toBeUndefined();
  });

  it('leads to a share request in the same way', async () => {
    const id = await intakeOf(await newPerson()).newRequest();
    for (const ending of ['.', ')', '%22', '/']) {
      const { status, to } = await ask(`/r/${id}${ending}`);
      expect([status, to], ending).toEqual([308, `/r/${id}`]);
    }
    expect((await ask(`/r/${id}/report.`)).to).toBe(`/r/${id}/report`);
    expect((await ask(`/r/${id}/raw.`)).to).toBeUndefined();
    expect((await ask(`/r/${id}`)).status).toBe(200);
  });

  it('is a 404 after it for an unknown id, and at once for anything that is no address of a share', async () => {
    expect((await ask('/s/unknown-id.')).to).toBe('/s/unknown-id');
    expect((await ask('/s/unknown-id')).status).toBe(404);
    const paths = [
      '/s/.',
      '/s//',
      '/s/a%00.',
      '/s/%ff.',
      '/s/a.b',
      '/s//example.com/.',
      '/s/a@example.com.',
      '/x/abc.',
      `/s/${'a'.repeat(65)}.`,
      '/s/a%0d%0aset-cookie:x.',
    ];
    for (const path of paths) {
      const { status, to } = await ask(path);
      expect([[400, 404].includes(status), to], path).toEqual([true, undefined]);
    }
    expect(await ask('/s/unknown-id/', 'POST')).toMatchObject({ status: 404, to: undefined });
  });

  describe('behind the CDN', () => {
    const cdn = createCdn('service');
    const edge = useServer(cdn.server);
    useEdgeSecret();
    beforeAll(() => {
      cdn.originPort = origin.port;
    });

    it('leads there, too, and is never kept', async () => {
      for (const ending of ['.', '%22', '/']) {
        const { status, to, headers } = await ask(`/s/team-notes${ending}`, 'GET', edge.port);
        expect([status, to, headers['cache-control']]).toEqual([308, '/s/team-notes', 'no-store']);
      }
    });
  });
});
