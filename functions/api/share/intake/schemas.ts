import * as z from 'zod';
import type { Actor } from '../../../../shared/auth/actor.ts';
import { examplePage } from '../../../../shared/http/envelope.ts';
import { toSummaryResponse } from '../changing/edit-check.ts';
import type { FoundShare } from '../record/share.ts';
import { exampleShare, ShareSummary } from '../requests/schemas.ts';
import { getRequestStatus, getRequestUrl, requestStatuses, type StoredRequest } from './request.ts';

export const exampleRequest = {
  id: 'b7Qw2LxkT0mR9sVhE3yJ1g',
  url: 'https://handbill.example.com/r/b7Qw2LxkT0mR9sVhE3yJ1g',
  title: 'Logs of the outage',
  note: 'From 09:00 to 10:00, please.',
  submissions: 3,
  taken: 1,
  expiresAt: '2026-11-23T12:00:00.000Z',
  protected: false,
  closed: false,
  status: 'open' as const,
  createdAt: '2026-11-21T12:00:00.000Z',
  updatedAt: '2026-11-21T12:00:00.000Z',
  version: 1,
};

/** A share request, for its owner. */
export const ShareRequest = z
  .object({
    id: z.string(),
    url: z.url().meta({ description: 'Where content can be handed in. Anyone can who has it.' }),
    title: z.string(),
    note: z.string().nullable().meta({ description: 'What is asked for. `null`: nothing more.' }),
    submissions: z.int().meta({ description: 'How many it takes.' }),
    taken: z.int().meta({
      description: 'How many it has taken, also those whose shares are deleted since. Exact.',
    }),
    expiresAt: z.iso.datetime(),
    protected: z.boolean(),
    closed: z.boolean().meta({ description: 'Whether its owner has closed it.' }),
    status: z.enum(requestStatuses).meta({
      description: 'Only an `open` request takes content. `full`: it has taken all.',
    }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    version: z.int(),
  })
  .meta({ id: 'ShareRequest', examples: [exampleRequest] });

const exampleSubmission = {
  receipt: 'K7QD-92MX',
  submittedAt: '2026-11-21T14:05:00.000Z',
  share: { ...exampleShare, audience: 'private' as const, submittedBy: 'Mei' },
};

/** A share request with what was handed in. */
export const ShareRequestDetail = ShareRequest.extend({
  submitted: z
    .array(
      z.object({
        receipt: z.string().meta({ description: 'The number that its author was told.' }),
        submittedAt: z.iso.datetime(),
        share: ShareSummary.nullable().meta({ description: '`null` once it is deleted.' }),
      }),
    )
    .meta({ description: 'What was handed in, newest first.' }),
}).meta({
  id: 'ShareRequestDetail',
  examples: [{ ...exampleRequest, submitted: [exampleSubmission] }],
});

const Saved = (id: string, message: string) =>
  ShareRequest.extend({ message: z.string() }).meta({
    id,
    examples: [{ ...exampleRequest, message }],
  });

/** A new share request. */
export const CreatedShareRequest = Saved('CreatedShareRequest', 'Request created');

/** A share request after a change. */
export const UpdatedShareRequest = Saved('UpdatedShareRequest', 'Saved');

/** A deleted share request. */
export const DeletedShareRequest = z.object({ id: z.string(), message: z.string() }).meta({
  id: 'DeletedShareRequest',
  examples: [{ id: exampleRequest.id, message: 'Deleted' }],
});

/** A page of a user's share requests. */
export const ShareRequestList = z
  .object({
    items: z.array(ShareRequest),
    total: z.int(),
    totalIsExact: z.boolean(),
    page: z.int(),
    pageSize: z.int(),
    totalPages: z.int(),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: 'ShareRequestList', examples: [examplePage(exampleRequest).data] });

/** Converts a request for its owner. */
export const toRequest = (request: StoredRequest): z.output<typeof ShareRequest> => {
  const { id, title, note, submissions, taken, expiresAt, password, closedAt } = request;
  const { createdAt, updatedAt, version } = request;
  return {
    id,
    url: getRequestUrl(id),
    title,
    note: note ?? null,
    submissions,
    taken,
    expiresAt,
    protected: password !== undefined,
    closed: closedAt !== undefined,
    status: getRequestStatus(request),
    createdAt,
    updatedAt,
    version,
  };
};

/** Converts a request with the shares that were handed in, without those that are no longer its owner's. */
export const toRequestDetail = (
  actor: Actor,
  request: StoredRequest,
  shares: readonly FoundShare[],
): z.output<typeof ShareRequestDetail> => {
  const own = new Map(
    shares
      .filter(({ share }) => share.ownerId === request.ownerId)
      .map((found) => [found.share.id, found]),
  );
  const all = Object.values(request.submitted).toSorted((one, other) =>
    other.at.localeCompare(one.at),
  );
  return {
    ...toRequest(request),
    submitted: all.map(({ receipt, at, shareId }) => {
      const found = own.get(shareId);
      return { receipt, submittedAt: at, share: found ? toSummaryResponse(actor, found) : null };
    }),
  };
};
