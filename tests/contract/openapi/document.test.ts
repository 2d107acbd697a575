import { describe, expect, it } from 'vitest';
import { listRoutes } from '../../../functions/routes.ts';
import { ownEvents, testEvent } from '../../../shared/webhooks/events.ts';
import type { Operation } from '../../support/openapi/describe-document.ts';
import {
  checkAnswer,
  document,
  examplesOf,
  operationOf,
  validatorOf,
} from '../../support/openapi/document.ts';
import { call } from '../../support/service/call.ts';

interface WebhookPart {
  readonly post: {
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': { readonly schema: { readonly $ref: string } };
      };
    };
  };
}

const signedIn = [{ bearer: [] }, { cookie: [] }];
const routes = listRoutes('service');
const documented = ({ method, path }: { method: string; path: string }): Operation => {
  const operation = operationOf(method, path);
  if (!operation) throw new Error(`The document lacks ${method} ${path}`);
  return operation;
};

describe('the document', () => {
  it('has one operation per route of the service', () => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(operations.sort()).toEqual(
      routes.map(({ method, path }) => `${method} ${path.replace('+}', '}')}`).sort(),
    );
  });

  it('contains the audit action of a change', () => {
    for (const route of routes) {
      const { auditAction: audit } = route;
      expect(documented(route)['x-audit']).toBe(audit === 'none' ? undefined : audit);
    }
  });

  it('says of each route who may call it, and its responses', () => {
    for (const route of routes) {
      const name = `${route.method} ${route.path}`;
      const { 'x-access': access, 'x-scope': scope, ...operation } = documented(route);
      const { security, responses, operationId } = operation;
      expect({ access, scope }, name).toEqual({ access: route.access, scope: route.scope });
      expect(operationId, name).toMatch(/^[a-z][A-Za-z]+$/);
      const statuses = Object.keys(responses);
      expect(statuses, name).toEqual(
        expect.arrayContaining([String(route.status), '429', '500', '503']),
      );
      const isGuarded = access !== 'public' && access !== 'optional';
      const rejects = isGuarded || (route.errors?.UNAUTHORIZED ?? false) !== false;
      expect(statuses.includes('401'), name).toBe(rejects);
      expect(security ?? document.security, name).toEqual(
        { public: [], optional: [{}, ...signedIn] }[access] ?? signedIn,
      );
    }
  });

  it('has unique operation ids', () => {
    const ids = routes.map((route) => documented(route).operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has examples that match their schemas', () => {
    const named = document.components.schemas as Record<string, { examples?: unknown[] }>;
    for (const [name, { examples = [] }] of Object.entries(named)) {
      const check = validatorOf({ $ref: `#/components/schemas/${name}` });
      for (const example of examples) expect(check(example) || check.errors, name).toBe(true);
    }
  });

  it('has an example of each JSON body', () => {
    for (const route of routes.filter(({ path }) => path !== '/api/openapi.json')) {
      const name = `${route.method} ${route.path}`;
      const { requestBody, responses } = documented(route);
      expect(requestBody?.content !== undefined, name).toBe(route.body !== undefined);
      for (const part of [requestBody, ...Object.values(responses)]) {
        const media = part?.content?.['application/json'];
        if (!media?.schema) continue;
        const check = validatorOf(media.schema);
        for (const example of examplesOf(media)) {
          expect(check(example) || check.errors, name).toBe(true);
        }
        expect(examplesOf(media), name).not.toHaveLength(0);
      }
    }
  });
});

describe('the requests to webhooks', () => {
  it('are described: those of each own event, of the audit log, and the test', () => {
    expect(Object.keys(document.webhooks)).toEqual([...ownEvents, 'audit', testEvent]);
    for (const [name, { post }] of Object.entries<WebhookPart>(document.webhooks)) {
      const { $ref } = post.requestBody.content['application/json'].schema;
      const schema = document.components.schemas[$ref.split('/').at(-1) ?? ''];
      expect(schema, name).toMatchObject({
        required: ['type', 'timestamp', 'data'],
        examples: [expect.objectContaining({ data: expect.anything() })],
      });
    }
  });
});

describe('the check of responses', () => {
  const response =
    (status: number, body: unknown, contentType = 'application/json') =>
    () =>
      checkAnswer('GET /api/health', { status, contentType, body });
  const healthy = { status: 'healthy', timestamp: '2026-11-21T12:00:00.000Z' };

  it('accepts documented responses', () => {
    expect(response(200, healthy)).not.toThrow();
  });

  it('finds an undocumented status, content type, field and format', () => {
    expect(response(404, healthy)).toThrow("answered 404, which its document doesn't name");
    expect(response(200, healthy, 'text/html')).toThrow('as text/html');
    expect(response(200, { ...healthy, secret: 1 })).toThrow('additional properties');
    expect(response(200, { status: 'healthy' })).toThrow("required property 'timestamp'");
    expect(response(200, { ...healthy, timestamp: 'now' })).toThrow('must match');
  });
});

describe('GET /api/openapi.json', () => {
  it('returns the document, compressed if accepted', async () => {
    const plain = await call('GET /api/openapi.json');
    expect(plain.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=300',
      vary: 'accept-encoding',
    });
    expect(plain.body).toEqual(document);
    const headers = { 'accept-encoding': 'br, gzip' };
    const gzipped = await call('GET /api/openapi.json', { headers });
    expect(gzipped.headers['content-encoding']).toBe('gzip');
    expect(gzipped.body).toEqual(document);
  });
});

describe('GET /api/docs', () => {
  it('returns a page that loads nothing from other hosts, without inline styles and scripts', async () => {
    const { headers, body } = await call('GET /api/docs');
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self';/,
    );
    expect(body).not.toMatch(/(\ssrc|<link\b[^>]*\shref)="(https?:)?\/\//);
    // A browser may load what is disabled, too.
    expect(body).not.toContain('href="/api/docs/swagger-ui.css"');
  });

  it('returns the assets of the page', async () => {
    const style = await call('GET /api/docs/swagger-ui.css');
    expect(style.headers['content-type']).toBe('text/css; charset=utf-8');
    const script = await call('GET /api/docs/swagger-ui-bundle.js');
    expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(Buffer.from(script.body, 'base64').toString()).toContain('SwaggerUIBundle');
  });
});

describe('the headers of a route', () => {
  const headersOf = ({ parameters }: Operation) =>
    parameters.filter(({ in: where }) => where === 'header').map(({ name }) => name);

  it('name the tag of each versioned record, and what asks for it', () => {
    for (const route of routes.filter(({ versionOf }) => versionOf)) {
      const operation = documented(route);
      const { [route.status]: done, 304: known, 412: outdated } = operation.responses;
      const isRead = route.method === 'GET';
      // What makes a record is told its tag.
      const isChange = !isRead && route.status !== 201;
      const named = headersOf(operation);
      expect(
        {
          reads: named.includes('if-none-match'),
          changes: named.includes('if-match'),
          responses: [known !== undefined, outdated !== undefined],
          tags: [done?.headers?.['etag'] !== undefined, known?.headers?.['etag'] !== undefined],
        },
        `${route.method} ${route.path}`,
      ).toEqual({
        reads: isRead,
        changes: isChange,
        responses: [isRead, isChange],
        tags: [route.method !== 'DELETE', isRead],
      });
    }
  });

  it('include Idempotency-Key where a route takes it', () => {
    for (const route of routes) {
      const operation = documented(route);
      const { [route.status]: made, 400: invalid, 409: running, 422: other } = operation.responses;
      const takesKey = headersOf(operation).includes('idempotency-key');
      expect(takesKey, `${route.method} ${route.path}`).toBe(route.idempotency !== undefined);
      if (!takesKey) continue;
      expect([invalid, running, other]).not.toContain(undefined);
      expect(made?.headers).toHaveProperty('idempotency-replayed');
    }
  });
});
