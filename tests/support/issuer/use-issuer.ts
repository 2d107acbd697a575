import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, vi } from 'vitest';
import { type Issuer, type Person, startIssuer } from '../../../infra/local/issuer/issuer.ts';
import { follow } from './follow.ts';
import { type Misbehaviour, misbehaving } from './misbehaviour.ts';

/** How an issuer is set up. */
interface Setup {
  readonly saysAllInIdToken?: boolean;
  /** Further settings of the provider, such as `EMAILS`. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Runs an issuer for the tests of a file as the provider `name`, and sets it up. */
export const useIssuer = (name: string, { saysAllInIdToken, settings }: Setup = {}) => {
  const people: Person[] = [];
  const clientId = `client-${name}`;
  const clientSecret = randomUUID();
  let misbehaviour: Misbehaviour = {};
  let issuer: Issuer;

  const set = (part: string, value: string) =>
    vi.stubEnv(`OIDC_${name.toUpperCase()}_${part}`, value);

  beforeAll(async () => {
    const redirectUri = () => `${process.env['PUBLIC_URL']}/login/${name}/callback`;
    const options = { clientId, clientSecret, redirectUri, people: () => people };
    issuer = await startIssuer(
      0,
      { ...options, ...(saysAllInIdToken !== undefined && { saysAllInIdToken }) },
      misbehaving(
        () => misbehaviour,
        () => issuer,
      ),
    );
    set('ISSUER', issuer.origin);
    set('CLIENT_ID', clientId);
    set('CLIENT_SECRET', clientSecret);
    for (const [part, value] of Object.entries(settings ?? {})) set(part, value);
  });
  afterEach(() => {
    misbehaviour = {};
  });
  afterAll(() => {
    issuer.close();
    vi.unstubAllEnvs();
  });

  return {
    name,
    clientId,
    get origin(): string {
      return issuer.origin;
    },
    /** Lets someone sign in there. Returns the person, with a subject of their own. */
    add: (person: Partial<Person> = {}): Person => {
      const added = { sub: randomUUID(), email_verified: true, ...person };
      people.push(added);
      return added;
    },
    /** Makes it misbehave until the end of the test. */
    misbehave: (how: Misbehaviour): void => {
      misbehaviour = how;
    },
    /** Signs someone in where a sign-in begins, or cancels without a subject. Returns where that leads. */
    visit: (location: string, { sub }: Pick<Person, 'sub'>): Promise<URL> =>
      follow(location, issuer.origin, sub),
  };
};

export type TestIssuer = ReturnType<typeof useIssuer>;
