import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { listRoutes } from '../../../functions/routes.ts';
import type { Operation } from '../../support/openapi/describe-document.ts';
import {
  checkAnswer,
  document,
  examplesOf,
  operationOf,
  validatorOf,
} from '../../support/openapi/document.ts';
import { call } from '../../support/service/call.ts';

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
    expect(operations.sort()).toEqual(routes.map((r) => `${r.method} ${r.path}`).sort());
  });

  it.each(routes)('documents access and responses of $method $path', (route) => {
    const {
      'x-access': access,
      'x-scope': scope,
      security,
      responses,
      operationId,
    } = documented(route);
    expect(access).toBe(route.access);
    expect(scope).toBe(route.scope);
    expect(operationId).toMatch(/^[a-z][A-Za-z]+$/);
    expect(Object.keys(responses)).toEqual(
      expect.arrayContaining([String(route.status), '429', '500', '503']),
    );
    expect(Object.keys(responses).includes('401')).toBe(
      access !== 'public' && access !== 'optional'
        ? true
        : (route.errors?.UNAUTHORIZED ?? false) !== false,
    );
    expect(security ?? document.security).toEqual(
      { public: [], optional: [{}, ...signedIn] }[access] ?? signedIn,
    );
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

  it.each(routes)('has an example of each JSON body of $method $path', (route) => {
    const { requestBody, responses } = documented(route);
    expect(requestBody?.content !== undefined).toBe(route.body !== undefined);
    const bodies = [requestBody, ...Object.values(responses)].map(
      (part) => part?.content?.['application/json'],
    );
    for (const media of bodies) {
      if (!media?.schema || route.path === '/api/openapi.json') continue;
      for (const example of examplesOf(media)) {
        const check = validatorOf(media.schema);
        expect(check(example) || check.errors).toBe(true);
      }
      expect(examplesOf(media)).not.toHaveLength(0);
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
    expect(JSON.parse(Buffer.from(plain.body, 'base64').toString())).toEqual(document);
    const headers = { 'accept-encoding': 'br, gzip' };
    const gzipped = await call('GET /api/openapi.json', { headers });
    expect(gzipped.headers['content-encoding']).toBe('gzip');
    const bytes = gunzipSync(Buffer.from(gzipped.body, 'base64'));
    expect(JSON.parse(bytes.toString())).toEqual(document);
  });
});

describe('GET /api/docs', () => {
  it('returns a page that loads nothing from other hosts, without inline styles and scripts', async () => {
    const { headers, body } = await call('GET /api/docs');
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self';/,
    );
    expect(body).not.toMatch(/(src|href)="(https?:)?\/\//);
  });

  it('returns the assets of the page', async () => {
    const style = await call('GET /api/docs/swagger-ui.css');
    expect(style.headers['content-type']).toBe('text/css; charset=utf-8');
    const script = await call('GET /api/docs/swagger-ui-bundle.js');
    expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(Buffer.from(script.body, 'base64').toString()).toContain('SwaggerUIBundle');
  });
});
