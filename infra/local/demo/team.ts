import type { Role } from '../../../shared/permissions/permissions.ts';

/** A person of the demo's team. */
export interface Person {
  readonly name: string;
  readonly role: Role;
  readonly username: string;
  readonly permissions?: readonly string[];
  readonly timezone: string;
  /** Days ago when the account was created. */
  readonly joinedDaysAgo: number;
  /**
   * An invited person has not chosen a password yet; a suspended one cannot sign in; a new one has a password, and has done
   * nothing yet.
   */
  readonly state?: 'invited' | 'suspended' | 'new';
}

/** What an employee may do. */
const employee = ['documents:*', 'files:*', 'messages:*', 'calendar:*', 'dashboard:view'];
const seller = [...employee, 'sales:view', 'sales:create', 'sales:update'];

/** A small publisher. The first person is the administrator of the local run. */
export const people = [
  {
    name: 'Nadia Okafor',
    role: 'super_admin',
    username: 'nadia',
    timezone: 'Europe/London',
    joinedDaysAgo: 44,
  },
  {
    name: 'Tomas Lindqvist',
    role: 'admin',
    username: 'tomas',
    permissions: ['dashboard:view', 'sales:*', 'audit:view'],
    timezone: 'Europe/Stockholm',
    joinedDaysAgo: 44,
  },
  {
    name: 'Mei Tanaka',
    role: 'user',
    username: 'mei',
    permissions: [...employee, 'documents:manage'],
    timezone: 'Asia/Tokyo',
    joinedDaysAgo: 43,
  },
  {
    name: 'Luca Moretti',
    role: 'user',
    username: 'luca',
    permissions: employee,
    timezone: 'Europe/Rome',
    joinedDaysAgo: 43,
  },
  {
    name: 'Aisha Rahman',
    role: 'user',
    username: 'aisha',
    permissions: seller,
    timezone: 'Europe/London',
    joinedDaysAgo: 41,
  },
  {
    name: 'Jonas Weber',
    role: 'user',
    username: 'jonas',
    permissions: employee,
    timezone: 'Europe/Berlin',
    joinedDaysAgo: 36,
  },
  {
    name: 'Camila Duarte',
    role: 'user',
    username: 'camila',
    permissions: employee,
    timezone: 'America/Sao_Paulo',
    joinedDaysAgo: 39,
  },
  {
    name: 'Ivy Chen',
    role: 'user',
    username: 'ivy',
    permissions: [...employee, 'shares:manage'],
    timezone: 'Europe/London',
    joinedDaysAgo: 37,
  },
  {
    name: 'Oskar Nowak',
    role: 'user',
    username: 'oskar',
    permissions: employee,
    timezone: 'Europe/Warsaw',
    joinedDaysAgo: 38,
    state: 'suspended',
  },
  {
    name: 'Priya Nair',
    role: 'user',
    username: 'priya',
    permissions: employee,
    timezone: 'Asia/Kolkata',
    joinedDaysAgo: 2,
    state: 'invited',
  },
  {
    name: 'Sam Adeyemi',
    role: 'user',
    username: 'sam',
    permissions: employee,
    timezone: 'Europe/London',
    joinedDaysAgo: 1,
    state: 'new',
  },
] as const satisfies readonly Person[];

export type Username = (typeof people)[number]['username'];

/** Users who sign in and work, by username. */
export const working = people
  .filter((person) => !('state' in person))
  .map(({ username }) => username);
