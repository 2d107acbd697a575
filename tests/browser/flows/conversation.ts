import { expect } from 'vitest';
import { startConsole } from '../../support/pages/console-service.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { send } from '../../support/run/process.ts';

export const names = [
  'Maria Keller',
  'Jonas Okafor',
  'Lena Brandt',
  'Ana Vidal',
  'Tomas Ruiz',
] as const;
export type Name = (typeof names)[number];

export const addressOf = (name: Name) => `${name.split(' ')[0]?.toLowerCase()}@example.com`;

/** Starts a service with people who may write, and someone who may only read. */
export const start = async () => {
  const service = await startConsole(browser, [
    ...names.map((name) => ({
      name,
      email: addressOf(name),
      permissions: ['messages:*', 'files:*'],
    })),
    { name: 'Rea' },
  ]);
  const users = new Map<string, { id: number; token: string }>();
  for (const name of [...names, 'Rea' as const]) {
    const email = name === 'Rea' ? 'rea@example.com' : addressOf(name);
    const { id } = await service.find(email);
    users.set(name, { id, token: await service.signIn(email) });
  }
  const idOf = (name: Name | 'Rea') => users.get(name)?.id ?? 0;
  const write = async (by: Name, body: object) => {
    const token = users.get(by)?.token ?? '';
    const url = `${service.url}/api/messages`;
    const made = await send(url, { method: 'POST', token, body: { content: 'Hi', ...body } });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    return made.body.data;
  };
  return { ...service, idOf, write };
};
