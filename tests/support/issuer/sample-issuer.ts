import { randomUUID } from 'node:crypto';
import { type Issuer, type Person, startIssuer } from '../../../infra/local/issuer/issuer.ts';

/** The provider of sample requests, as the deployment of the lab has it, too. */
export const sampleProvider = {
  name: 'work',
  clientId: 'handbill',
  clientSecret: 'sW4nT8vQ2mZ7xK4nB9cW3pL6sJ1hG5fD',
} as const;

const people: Person[] = [];

let started: Promise<Issuer> | undefined;

/** Starts its issuer, once for this process. */
export const startSampleIssuer = (): Promise<Issuer> => {
  const { name, clientId, clientSecret } = sampleProvider;
  const redirectUri = () => `${process.env['PUBLIC_URL']}/login/${name}/callback`;
  started ??= startIssuer(0, { clientId, clientSecret, redirectUri, people: () => people });
  return started;
};

/** Runs a function while its provider is set: other tests have none. */
export const whileSampleProviderIsSet = async <Result>(
  work: (issuer: Issuer) => Promise<Result>,
): Promise<Result> => {
  const issuer = await startSampleIssuer();
  const settings = {
    OIDC_WORK_ISSUER: issuer.origin,
    OIDC_WORK_CLIENT_ID: sampleProvider.clientId,
    OIDC_WORK_CLIENT_SECRET: sampleProvider.clientSecret,
  };
  Object.assign(process.env, settings);
  try {
    return await work(issuer);
  } finally {
    for (const setting of Object.keys(settings)) delete process.env[setting];
  }
};

/** Lets someone sign in there. */
export const addSamplePerson = (email: string, groups: readonly string[] = []): Person => {
  const person = { sub: randomUUID(), email, email_verified: true, name: 'Zoe Example', groups };
  people.push(person);
  return person;
};
