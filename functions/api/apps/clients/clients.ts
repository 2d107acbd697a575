import { readDestination } from '../../../../shared/outbound/destination.ts';
import { internet, type Network } from '../../../../shared/outbound/network.ts';
import { OutboundError } from '../../../../shared/outbound/outbound-error.ts';
import { invalidField } from '../../../../shared/runtime/errors.ts';
import type { ClientMetadata } from './client-metadata.ts';
import { getMetadata } from './metadata-cache.ts';
import { readRegistration, registeredPrefix } from './registration.ts';

/** A client of OAuth: an app that asks people to connect it. */
export interface Client extends ClientMetadata {
  readonly id: string;
  /** The host that describes it; `null` if it has registered itself, so that nothing is known of who it is. */
  readonly host: string | null;
  readonly kind: 'metadata' | 'registered';
}

/** Maximum characters of a client id, and of one that is the address of a document. */
const maxLength = 4_096;
const maxAddressLength = 500;

const refuse = (message: string, cause?: unknown) => invalidField('client_id', message, cause);

/** Asserts that a client id can be the address of a document. In one form only, as each other form would be another client. */
const assertAddress = (clientId: string): void => {
  if (clientId.length > maxAddressLength) {
    throw refuse(`must be at most ${maxAddressLength} characters`);
  }
  try {
    readDestination(clientId);
  } catch (error) {
    throw error instanceof OutboundError ? refuse(error.message, error) : error;
  }
  const { href, pathname } = new URL(clientId);
  if (href !== clientId) throw refuse(`must be written as ${href}`);
  if (pathname === '/') throw refuse('must have a path, such as /client.json');
};

/**
 * Finds the client of an id: by the document at its address, or by what it registered.
 * @throws AppError VALIDATION_ERROR about `client_id`
 */
export const resolveClient = async (
  clientId: string,
  network: Network = internet,
): Promise<Client> => {
  if (clientId.length > maxLength) throw refuse(`must be at most ${maxLength} characters`);
  if (clientId.startsWith(registeredPrefix)) {
    const registered = await readRegistration(clientId);
    if (!registered) throw refuse('is unknown or has expired. Register the client again');
    return { id: clientId, host: null, kind: 'registered', ...registered };
  }
  if (!URL.canParse(clientId)) {
    throw refuse('must be the https address of a metadata document, or one that was registered');
  }
  assertAddress(clientId);
  const { name, redirectUris } = await getMetadata(clientId, network);
  return { id: clientId, host: new URL(clientId).host, kind: 'metadata', name, redirectUris };
};
