import { describe, expect, it, vi } from 'vitest';
import type { Host } from '../../shared/http/host.ts';
import { replaced } from '../fuzz/planted-defects.ts';
import { type Finding, fuzz } from '../fuzz/run.ts';

vi.mock('../../functions/routes.ts', async (original) => {
  const real = await original<typeof import('../../functions/routes.ts')>();
  const { planted: routes } = await import('../fuzz/planted-defects.ts');
  const planted = { name: 'planted', folder: 'api/planted', routes };
  const listGroups = (host: Host) =>
    host === 'service' ? [...real.listGroups(host), planted] : real.listGroups(host);
  const listRoutes = (host: Host) => listGroups(host).flatMap((group) => group.routes);
  return { ...real, listGroups, listRoutes };
});

describe('defects that were planted', async () => {
  const { findings } = await fuzz({ requests: 2_500, seed: 2, group: 'planted', replaced });
  const of = (name: string): Finding[] =>
    findings.filter(({ endpoint }) => endpoint.endsWith(`/${name}`));
  const propertiesOf = (name: string): string[] => of(name).map(({ property }) => property);

  it('finds a 5xx at a certain input, and makes the request small', () => {
    expect(propertiesOf('failing')).toEqual(['never fails']);
    const [finding] = of('failing');
    expect(finding?.what).toContain('answered 500');
    expect(finding?.curl).toMatch(/--data-binary '\{"name":"\\u0000"\}'$/);
  });

  it('finds a status that the document does not name', () => {
    expect(propertiesOf('undocumented')).toEqual(['answers as documented']);
    expect(of('undocumented')[0]?.what).toContain('409');
  });

  it('finds a route that does not ask for the permission', () => {
    expect(propertiesOf('guarded')).toEqual(['asks first who calls']);
  });

  it('finds a route that takes what its document refuses', () => {
    expect(propertiesOf('lenient')).toEqual(['refuses what does not fit']);
  });

  it('finds a route that takes fields which nobody may set', () => {
    expect(propertiesOf('echoing')).toContain('takes no foreign field');
  });

  it('finds a secret in an answer', () => {
    expect(propertiesOf('leaking')).toEqual(['keeps secrets']);
  });

  it('finds nothing wrong with a route that is right', () => {
    expect(of('good')).toEqual([]);
  });
});
