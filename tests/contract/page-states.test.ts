import { describe, expect, it } from 'vitest';
import { listRoutes } from '../../functions/routes.ts';
import { pageStates } from '../browser/states/states.ts';
import type { PageState } from '../support/pages/page-state.ts';

const routeOf = ({ route, path }: PageState): string => route ?? String(path).split('?')[0] ?? '';

// `npm run test:matrix` visits each state in every view.
describe('the list of page states', () => {
  it('has each page of the service', () => {
    const pages = listRoutes('service')
      .filter(({ method, produces }) => method === 'GET' && produces === 'html')
      .map(({ path }) => path);
    const routes = pageStates.map(routeOf);
    expect(pages.filter((path) => !routes.includes(path))).toEqual([]);
  });

  it('has each name once', () => {
    const names = pageStates.map(({ name }) => name);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });
});
