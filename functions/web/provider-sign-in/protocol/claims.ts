import { Email, label } from '../../../../shared/input/fields.ts';
import type { Provider } from '../../../../shared/runtime/provider-settings.ts';
import { getSetting } from '../../../../shared/runtime/settings.ts';
import type { Identity } from '../../../api/auth/identities/identity.ts';
import { ProviderError } from './provider-error.ts';

/** What a provider says of someone. */
export type Claims = Readonly<Record<string, unknown>>;

const isMicrosoft = (issuer: string): boolean =>
  URL.parse(issuer)?.hostname === 'login.microsoftonline.com';

/** Some issuers write claims as texts or numbers. */
const isTrue = (value: unknown): boolean =>
  value === true || value === 'true' || value === 1 || value === '1';

/**
 * Microsoft says nothing of an address itself: the administrators of any tenant can enter one that isn't theirs. It may say that
 * the tenant owns the domain, by an optional claim.
 */
const proofOf = ({ issuer }: Provider): string =>
  isMicrosoft(issuer) ? 'xms_edov' : 'email_verified';

/** Finds a claim by its name or, where there is none, by a path of names with dots. */
const findClaim = (claims: Claims, name: string): unknown => {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name.split('.').reduce<unknown>((value, part) => {
    const isObject = typeof value === 'object' && value !== null;
    return isObject && Object.hasOwn(value, part) ? (value as Claims)[part] : undefined;
  }, claims);
};

/** Returns the claim that gives roles at this issuer, if any does. */
export const getRoleClaim = ({ isMultiTenant }: Provider): string | undefined =>
  isMultiTenant ? undefined : getSetting('ROLE_CLAIM')?.claim;

/** Returns whether the issuer has left a claim out because it is too large, as Entra does with many groups. */
const isLeftOut = (claims: Claims, name: string): boolean => {
  const names = claims['_claim_names'];
  return typeof names === 'object' && names !== null && Object.hasOwn(names, name);
};

const isText = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

const readRoleValues = (provider: Provider, sources: readonly Claims[]) => {
  const name = getRoleClaim(provider);
  if (name === undefined || sources.some((claims) => isLeftOut(claims, name))) return undefined;
  const value = sources.map((claims) => findClaim(claims, name)).find((found) => found != null);
  return (Array.isArray(value) ? value : [value]).filter(isText).map(String);
};

/** Returns whether an ID token lacks something that the issuer may say elsewhere. */
export const isIncomplete = (provider: Provider, idToken: Claims): boolean => {
  const name = getRoleClaim(provider);
  if (idToken['email'] === undefined) return true;
  if (!provider.provesAll && proofOf(provider) === 'email_verified') {
    if (idToken['email_verified'] === undefined) return true;
  }
  return name !== undefined && !isLeftOut(idToken, name) && findClaim(idToken, name) == null;
};

/** Reads the address. What is said of it counts only together with the address it was said of. */
const readEmail = (
  provider: Provider,
  sources: readonly Claims[],
): Pick<Identity, 'email' | 'isEmailProven'> => {
  const proof = proofOf(provider);
  const withEmail = sources.filter((claims) => typeof claims['email'] === 'string');
  const source = withEmail.find((claims) => claims[proof] !== undefined) ?? withEmail[0];
  const { data: email } = Email.safeParse(source?.['email']);
  const isEmailProven = email !== undefined && (provider.provesAll || isTrue(source?.[proof]));
  return { email, isEmailProven };
};

/** The longest name of a user. */
const Name = label(100);

/** Only the tenant makes the subjects of a person unique where an issuer is that of many. */
const readSubject = ({ issuer }: Provider, { sub, iss, tid }: Claims): string => {
  const isOfTenant = isMicrosoft(issuer) && iss !== issuer && typeof tid === 'string';
  const subject = isOfTenant ? `${tid}.${sub}` : String(sub ?? '');
  if (subject === '' || subject.length > 255) throw new ProviderError('invalid', 'subject');
  return subject;
};

/**
 * Returns who has signed in, by verified claims, those of the ID token first.
 * @throws ProviderError invalid
 */
export const toIdentity = (
  provider: Provider,
  idToken: Claims,
  others: readonly Claims[] = [],
): Identity => {
  const sources = [idToken, ...others];
  const name = sources.map((claims) => claims['name']).find((found) => typeof found === 'string');
  return {
    provider,
    subject: readSubject(provider, idToken),
    ...readEmail(provider, sources),
    name: Name.safeParse(name).data,
    roleValues: readRoleValues(provider, sources),
  };
};
