import { describe, expect, it, vi } from 'vitest';
import type { Host } from '../../../shared/http/host.ts';
import { replaced } from './planted-defects.ts';
import { type Finding, fuzz } from './run.ts';

vi.mock('../../../functions/routes.ts', async (original) => {
  const real = await original<typeof import('../../../functions/routes.ts')>();
  const { planted: routes } = await import('./planted-defects.ts');
  const planted = { name: 'planted', folder: 'api/planted', routes };
  const listGroups = (host: Host) =>
    host === 'service' ? [...real.listGroups(host), planted] : real.listGroups(host);
  const listRoutes = (host: Host) => listGroups(host).flatMap((group) => group.routes);
  return { ...real, listGroups, listRoutes };
});

// The document of the routes as replaced, which isn't the one that is built.
vi.mock('../../support/openapi/document.ts', async () => {
  const { openApi } = await import('../../../infra/build/openapi.ts');
  const { describeDocument } = await import('../../support/openapi/describe-document.ts');
  return describeDocument(openApi());
});

describe('fuzz with planted defects', async () => {
  const { findings } = await fuzz({ requests: 2_500, seed: 2, group: 'planted', replaced });
  const of = (name: string): Finding[] =>
    findings.filter(({ endpoint }) => endpoint.endsWith(`/${name}`));
  const propertiesOf = (name: string): string[] => of(name).map(({ property }) => property);

  it('finds a 5xx for a specific input, and shrinks the request', () => {
    expect(propertiesOf('failing')).toEqual(['never fails']);
    const [finding] = of('failing');
    expect(finding?.what).toContain('answered 500');
    expect(finding?.curl).toMatch(/--data-binary '\{"name":"\\u0000"\}'$/);
  });

  it('finds an undocumented status', () => {
    expect(propertiesOf('undocumented')).toEqual(['answers as documented']);
    expect(of('undocumented')[0]?.what).toContain('409');
  });

  it('finds a missing permission check', () => {
    expect(propertiesOf('guarded')).toEqual(['asks first who calls']);
  });

  it('finds a route that accepts invalid input', () => {
    expect(propertiesOf('lenient')).toEqual(['refuses what does not fit']);
  });

  it('finds a route that accepts unknown fields', () => {
    expect(propertiesOf('echoing')).toContain('takes no foreign field');
  });

  it('finds a secret in a response', () => {
    expect(propertiesOf('leaking')).toEqual(['keeps secrets']);
  });

  it('finds nothing in a correct route', () => {
    expect(of('good')).toEqual([]);
  });
});
