import * as z from 'zod';
import { examplePage, Paginated } from '../../../../shared/http/envelope.ts';
import { moderationVersion } from '../record/share.ts';
import type { ReportedRequest } from './reports.ts';
import { getRequestStatus, getRequestUrl, requestStatuses } from './request.ts';
import { exampleRequest } from './schemas.ts';

const { id, url, title, note, status, createdAt, version } = exampleRequest;

const exampleReported = {
  ...{ id, url, title, note, status, createdAt, version },
  ownerId: 244_212_480_000_000,
  ownerName: 'Ann Example',
  reports: 1,
  reportedAt: '2026-11-21T13:00:00.000Z',
  reportList: [{ reason: 'It asks for passwords', createdAt: '2026-11-21T13:00:00.000Z' }],
};

/** A reported share request, for moderators, who see nothing of what was handed in. */
export const ReportedShareRequest = z
  .object({
    id: z.string(),
    url: z.url(),
    title: z.string(),
    note: z.string().nullable().meta({ description: 'What is asked for. `null`: nothing more.' }),
    status: z.enum(requestStatuses),
    createdAt: z.iso.datetime(),
    version: z.int(),
    ownerId: z.int().positive(),
    ownerName: z.string().meta({ description: 'The name of the owner.' }),
    reports: z.int(),
    reportedAt: z.iso.datetime().nullable(),
    reportList: z
      .array(z.object({ reason: z.string(), createdAt: z.iso.datetime() }))
      .meta({ description: 'The latest 20 reports, newest first.' }),
  })
  .meta({ id: 'ReportedShareRequest', examples: [exampleReported] });

export const ReportedShareRequestPage = Paginated(ReportedShareRequest).meta({
  id: 'ReportedShareRequestPage',
  examples: [examplePage(exampleReported)],
});

/** Converts a reported request for moderators. */
export const toReported = ({
  request,
  ownerName,
  reports,
}: ReportedRequest): z.output<typeof ReportedShareRequest> => ({
  id: request.id,
  url: getRequestUrl(request.id),
  title: request.title,
  note: request.note ?? null,
  status: getRequestStatus(request),
  createdAt: request.createdAt,
  version: moderationVersion(request),
  ownerId: request.ownerId,
  ownerName,
  reports: request.reports ?? 0,
  reportedAt: request.reportedAt ?? null,
  reportList: reports.map(({ reason, createdAt: at }) => ({ reason, createdAt: at })),
});
