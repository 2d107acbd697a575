import { fetchPublic } from '../../../../shared/outbound/fetch-public.ts';
import type { Network } from '../../../../shared/outbound/network.ts';
import { type ClientMetadata, MetadataError, readClientMetadata } from './client-metadata.ts';

const bounds = { maxBytes: 65_536, timeoutMs: 5_000, accept: ['application/json'] } as const;

const maxRedirects = 20;

const parseDocument = (body: Buffer): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
};

/**
 * Fetches the metadata document that a client's id is the address of.
 * https://datatracker.ietf.org/doc/draft-ietf-oauth-client-id-metadata-document/
 * @throws OutboundError, MetadataError
 */
export const fetchMetadataDocument = async (
  clientId: string,
  network: Network,
): Promise<ClientMetadata> => {
  const { body } = await fetchPublic(clientId, bounds, network);
  const document = parseDocument(body);
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw new MetadataError('', 'must be a JSON object in UTF-8');
  }
  const given = document as Readonly<Record<string, unknown>>;
  // Otherwise a host that keeps what people upload could speak for another client.
  if (given['client_id'] !== clientId) {
    throw new MetadataError('client_id', 'must be the address of the document');
  }
  return readClientMetadata(given, { maxRedirects, fallback: new URL(clientId).host });
};
