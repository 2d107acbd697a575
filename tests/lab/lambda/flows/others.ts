import { expect } from 'vitest';
import { deployment } from '../deployment.ts';
import type { Flows } from './flow.ts';

export const otherFlows: Flows = {
  'what is no route': async () => {
    for (const origin of Object.values(deployment().origins)) {
      expect((await fetch(`${origin}/no/such/thing`)).status).toBe(404);
    }
    const { origins } = deployment();
    expect((await fetch(`${origins.service}/api/auth/me`, { method: 'PATCH' })).status).toBe(405);
  },
};
