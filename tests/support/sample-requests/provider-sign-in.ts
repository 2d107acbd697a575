import type { Person } from '../../../infra/local/issuer/issuer.ts';
import { follow } from '../issuer/follow.ts';
import { begin, comeBack, keptCookies } from '../issuer/provider-sign-in.ts';
import {
  addSamplePerson,
  sampleProvider,
  whileSampleProviderIsSet,
} from '../issuer/sample-issuer.ts';
import { pass } from '../run/virtual-time.ts';
import { nextEmail, type TypicalCalls } from './sample-request.ts';

const { name } = sampleProvider;

/** Signs someone in at the issuer. Returns the call of where that leads. */
export const returning = (person: Person) =>
  whileSampleProviderIsSet(async ({ origin }) => {
    const begun = await begin(name);
    const back = await follow(begun.headers['location'] ?? '', origin, person.sub);
    return () => whileSampleProviderIsSet(() => comeBack(back, keptCookies(begun)));
  });

export const providerSignInCalls: TypicalCalls = {
  'GET /login/{provider}': async () => () => whileSampleProviderIsSet(() => begin(name)),
  'GET /login/{provider}/callback': async () => {
    const person = addSamplePerson(nextEmail());
    await (await returning(person))();
    pass(60 * 60_000);
    return returning(person);
  },
  'GET /login/{provider}/callback (first)': async () => returning(addSamplePerson(nextEmail())),
};
