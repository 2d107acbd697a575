import { conditionalUpdate } from '../../../../shared/db/conditional-write.ts';
import { batchGet } from '../../../../shared/db/dynamodb.ts';
import { itemParser } from '../../../../shared/db/item-parser.ts';
import type { Network } from '../../../../shared/outbound/network.ts';
import { OutboundError } from '../../../../shared/outbound/outbound-error.ts';
import { invalidField } from '../../../../shared/runtime/errors.ts';
import { hashClientId } from './client-id.ts';
import { type ClientMetadata, MetadataError } from './client-metadata.ts';
import { clientKeys } from './keys.ts';
import { fetchMetadataDocument } from './metadata-document.ts';

const minuteMs = 60_000;

/** How long a document counts as it was, if nothing is wrong, and while its host is not there. */
const freshMs = 60 * minuteMs;
const keptMs = 24 * 60 * minuteMs;

/** How long a failure counts, so that nobody makes the service ask a host again and again. */
const failedMs = minuteMs;

/** What is known of a client by its document. Times in ms since 1970. */
interface StoredMetadata {
  readonly clientId: string;
  /** When its host was last asked. */
  readonly checkedAt: number;
  /** What the document said, unless it was never there, or is there no more. */
  readonly metadata?: ClientMetadata & { readonly fetchedAt: number };
  /** Why asking failed, if it did. */
  readonly problem?: string;
}

const parseStored = itemParser<StoredMetadata>('client metadata', ['clientId', 'checkedAt']);

/** Stores what asking a host resulted in. The latest counts; repeating it changes nothing. */
const store = async (clientId: string, at: number, set: string, values: object): Promise<void> => {
  await conditionalUpdate({
    Key: clientKeys.metadata.at({ hash: hashClientId(clientId) }),
    UpdateExpression: `SET clientId = :clientId, checkedAt = :at, #ttl = :ttl, ${set}`,
    ConditionExpression: 'attribute_not_exists(pk) OR checkedAt <= :at',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: {
      ...values,
      ':clientId': clientId,
      ':at': at,
      ':ttl': Math.ceil((at + keptMs) / 1_000),
    },
  });
};

/** Describes a failure, to follow the name of the field with the client id. */
const describe = (error: unknown): string => {
  if (error instanceof OutboundError) return error.message;
  if (!(error instanceof MetadataError)) throw error;
  const { field, message } = error;
  return field === '' ? message : `names a document in which ${field} ${message}`;
};

const refuse = (problem: string, cause?: unknown) => invalidField('client_id', problem, cause);

/** Returns what a document said, if that may still be used while its host is not there. */
const getKept = (metadata: StoredMetadata['metadata'], now: number): ClientMetadata | undefined =>
  metadata && now < metadata.fetchedAt + keptMs ? metadata : undefined;

const fetchAndStore = async (
  clientId: string,
  stored: StoredMetadata | undefined,
  network: Network,
): Promise<ClientMetadata> => {
  const now = Date.now();
  try {
    const metadata = await fetchMetadataDocument(clientId, network);
    await store(clientId, now, 'metadata = :metadata REMOVE problem', {
      ':metadata': { ...metadata, fetchedAt: now },
    });
    return metadata;
  } catch (error) {
    const problem = describe(error);
    const isOutage = error instanceof OutboundError && error.isOutage;
    const set = `problem = :problem${isOutage ? '' : ' REMOVE metadata'}`;
    await store(clientId, now, set, { ':problem': problem });
    const kept = isOutage ? getKept(stored?.metadata, now) : undefined;
    if (kept) return kept;
    throw refuse(problem, error);
  }
};

const load = async (clientId: string, network: Network): Promise<ClientMetadata> => {
  const key = clientKeys.metadata.at({ hash: hashClientId(clientId) });
  const [item] = await batchGet([key]);
  const stored = parseStored(item);
  const now = Date.now();
  const { metadata, problem, checkedAt = 0 } = stored ?? {};
  if (metadata && now < metadata.fetchedAt + freshMs) return metadata;
  if (problem !== undefined && now < checkedAt + failedMs) {
    const kept = getKept(metadata, now);
    if (kept) return kept;
    throw refuse(problem);
  }
  return fetchAndStore(clientId, stored, network);
};

/** What this process is loading, so that it asks a host for a document once at a time. */
const underway = new Map<string, Promise<ClientMetadata>>();

/**
 * Returns what the metadata document at an address says, as it was within the last hour, or within the last day if its host is
 * not there (decisions.md#app-clients).
 * @throws AppError VALIDATION_ERROR about `client_id`
 */
export const getMetadata = (clientId: string, network: Network): Promise<ClientMetadata> => {
  const known = underway.get(clientId);
  if (known) return known;
  const loading = load(clientId, network).finally(() => underway.delete(clientId));
  underway.set(clientId, loading);
  return loading;
};
