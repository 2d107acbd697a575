import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const folders = ['functions/api', 'functions/jobs', 'shared'];

/** Whoever compares the status of a user with these words forgets the accounts that wait to be deleted. */
const comparison = /\.status\b\s*[!=]==\s*'(active|inactive|suspended)'/;

/** What the words mean, and what follows from an administrator’s change of them. */
const allowed = ['shared/auth/user.ts', 'functions/api/users/administration.ts'];

const files = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name)),
);

describe('whether a user takes part', () => {
  it('is asked of isActive, isSuspended and canSignIn alone', () => {
    const comparing = files.filter((path) => comparison.test(readFileSync(path, 'utf8')));
    expect(comparing.toSorted()).toEqual(allowed.toSorted());
  });
});
