import type { Route } from '../../shared/route.ts';

export const routes: readonly Route[] = [];
