import { describe, expect, it } from 'vitest';
import { isReserved } from '../../../../functions/api/share/record/reserved-slugs.ts';
import { slugPattern } from '../../../../functions/api/share/record/slug-pattern.ts';
import { hosts } from '../../../../functions/routes.ts';

/** The parts of the paths of pages: `calendar`, `forgot`, and of `/s/{id}/revisions` the last. */
const pageNames = new Set(
  Object.values(hosts.service.web)
    .flat()
    .flatMap(({ path }) => path.split('/'))
    .filter((part) => slugPattern.test(part)),
);

describe('the name of a share', () => {
  it.each([...pageNames])('is never the name of a page: %s', (name) => {
    expect(isReserved(name)).toBe(true);
  });

  it.each([
    ...['log-in', 'login', 'l-o-g-i-n', 'verify', 'invite', 'billing', 'my-account', 'myaccount'],
    ...['password-reset', 'passwordreset', 'reset-password', 'sign-up', 'help-desk', 'payments'],
  ])('is none that a reader takes for the service’s own: %s', (name) => {
    expect(isReserved(name)).toBe(true);
  });

  it.each(['our-notes', 'login-notes', 'spring-2026', 'verified-sources', 'my-garden'])(
    'can be any other: %s',
    (name) => {
      expect(isReserved(name)).toBe(false);
    },
  );
});
