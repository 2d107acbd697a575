import { createHash, randomInt } from 'node:crypto';
import type { ChangeRecorder } from '../../../../shared/audit/audit-log.ts';
import { type CountChange, countSteps, type Guard } from '../../../../shared/counters/counter.ts';
import { tableName } from '../../../../shared/db/dynamodb.ts';
import { createRandomText } from '../../../../shared/db/ids.ts';
import { type Step, transact } from '../../../../shared/db/transaction.ts';
import { limitExpiry } from '../../../../shared/input/share-age.ts';
import { enqueueWrite } from '../../../../shared/jobs/outbox.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { storeTexts } from '../../../../shared/storage/stored-text.ts';
import { requireQuota } from '../../../../shared/storage/usage.ts';
import { createShareWrites } from '../changing/new-share.ts';
import { findContentTitle, toTexts } from '../changing/texts.ts';
import { createAudienceId } from '../record/audience.ts';
import { auditCreated } from '../record/audit.ts';
import { getCounts, refuseSuspended } from '../record/counters.ts';
import { shareSubmittedJob } from '../record/jobs.ts';
import { shareKeys } from '../record/keys.ts';
import type { StoredShare } from '../record/share.ts';
import { createShareId } from '../record/slugs.ts';
import type { Content } from './content.ts';
import { requestKeys } from './keys.ts';
import {
  getRequestStatus,
  parseRequest,
  requestGone,
  requestModifiedMessage,
  requestNotFound,
  type StoredRequest,
  type Submission,
} from './request.ts';

/** Digits and letters that are told apart when they are read out. */
const receiptAlphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** Creates a receipt number such as `K7QD-92MX`. */
const createReceipt = (): string => {
  const part = () =>
    Array.from({ length: 4 }, () => receiptAlphabet[randomInt(receiptAlphabet.length)]).join('');
  return `${part()}-${part()}`;
};

/** What a visitor hands in. */
export interface NewSubmission extends Content {
  /** Who it is from, as typed. */
  readonly name: string;
  /** Identifies the form that it was typed into. */
  readonly claim: string | undefined;
}

/**
 * Returns the key of a submission among those of its request. The same form with the same content is the same submission;
 * changed after it was sent, it is another one.
 */
const toClaim = ({ claim, name, language, content }: NewSubmission): string =>
  createHash('sha256')
    .update(JSON.stringify([claim ?? createRandomText(16), name, language, content]))
    .digest('base64url')
    .slice(0, 16);

/** Returns the submission of a request that this one repeats, if it was taken before. */
export const findTaken = (
  { submitted }: StoredRequest,
  submission: NewSubmission,
): Submission | undefined => submitted[toClaim(submission)];

/** Takes one submission of a request, which must be as it was read and takes no more than it says. */
const takeStep = (
  { id, password }: StoredRequest,
  claim: string,
  submission: Submission,
): Step<'refused'> => ({
  write: {
    Update: {
      TableName: tableName(),
      Key: requestKeys.record.at({ id }),
      UpdateExpression: 'SET submitted.#claim = :submission, taken = taken + :one',
      ConditionExpression: [
        'attribute_exists(pk)',
        'attribute_not_exists(submitted.#claim)',
        'taken < submissions',
        'expiresAt > :now',
        'attribute_not_exists(closedAt)',
        'attribute_not_exists(takenDownAt)',
        password ? '#password.id = :passwordId' : 'attribute_not_exists(#password)',
      ].join(' AND '),
      ExpressionAttributeNames: { '#claim': claim, '#password': 'password' },
      ExpressionAttributeValues: {
        ':submission': submission,
        ':one': 1,
        ':now': submission.at,
        ...(password && { ':passwordId': password.id }),
      },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  },
  refused: 'refused',
});

/** Refuses a share for an owner who was suspended concurrently, or whose storage is full. */
const guardCounts = (change: CountChange): Guard<'quota'> | undefined => {
  const suspended = refuseSuspended(change);
  return suspended ? { ...suspended, refused: () => requestGone('closed') } : requireQuota(change);
};

/** Creates the error for an owner whose storage is full. */
export const storageFull = () =>
  new AppError('PAYLOAD_TOO_LARGE', 'The storage of the person who asks is full.');

/**
 * Takes what a visitor hands in as a private share of the request's owner, and schedules the owner's notification, in one
 * transaction: so never more than the request takes. One that was taken before returns its receipt again.
 * @throws AppError GONE if the request takes nothing more by now; PAYLOAD_TOO_LARGE if the content is too large or the owner's
 *   storage is full; UNPROCESSABLE if the content is too slow to convert; SERVICE_UNAVAILABLE if the password was changed
 */
export const submit = async (
  request: StoredRequest,
  submitted: NewSubmission,
  recorder: ChangeRecorder,
): Promise<Submission> => {
  const claim = toClaim(submitted);
  const known = request.submitted[claim];
  if (known) return known;
  const { language, content, name, bytes } = submitted;
  const texts = await toTexts({ language, source: content });
  const contentTitle = findContentTitle(texts);
  const id = createShareId();
  const { ref, write } = await storeTexts(shareKeys.content.at({ id }), texts, { inRecord: true });
  const createdAt = Date.now();
  const now = new Date(createdAt).toISOString();
  const expiry = limitExpiry(undefined, createdAt);
  const share: StoredShare = {
    id,
    ownerId: request.ownerId,
    language,
    from: { requestId: request.id, name, bytes },
    title: request.title,
    audience: 'private',
    audienceId: createAudienceId(),
    ...(contentTitle !== undefined && { contentTitle }),
    ...(expiry !== undefined && { expiresAt: new Date(expiry).toISOString() }),
    createdAt: now,
    updatedAt: now,
    version: 1,
    texts: ref,
  };
  const submission: Submission = { shareId: id, receipt: createReceipt(), at: now };
  const created = auditCreated(share);
  const refused = await transact([
    takeStep(request, claim, submission),
    ...createShareWrites(share, write),
    ...countSteps([], getCounts(share), guardCounts),
    enqueueWrite(shareSubmittedJob, { id }),
    ...recorder.steps({
      ...created,
      after: { ...created.after, request: request.id, submittedBy: name },
    }),
  ]);
  if (!refused) return submission;
  if (refused.by === 'quota') throw storageFull();
  const current = parseRequest(refused.item);
  if (!current) throw requestNotFound();
  const repeated = current.submitted[claim];
  if (repeated) return repeated;
  const status = getRequestStatus(current);
  if (status !== 'open') throw requestGone(status);
  throw new AppError('SERVICE_UNAVAILABLE', requestModifiedMessage);
};
