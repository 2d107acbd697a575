import * as z from 'zod';
import { paginated, Success, success } from '../../../../shared/http/envelope.ts';
import { route } from '../../../../shared/http/route.ts';
import { pageQuery } from '../../../../shared/lists/pagination.ts';
import { sortBy } from '../../../../shared/lists/sort.ts';
import { DecisionInput } from '../requests/decision.ts';
import { creationLimits, requestChangeLimits } from '../requests/limits.ts';
import { ShareId } from '../requests/request-fields.ts';
import { RequestChangeInput, RequestInput, toNewRequest, toRequestChange } from './input.ts';
import {
  changeRequest,
  createRequest,
  deleteRequest,
  findRequests,
  loadBySubject,
  loadEntries,
  loadOwnRequest,
  loadSubmitted,
} from './manage.ts';
import { ReportedShareRequest, ReportedShareRequestPage, toReported } from './reported-schemas.ts';
import { findReported, loadReported, moderateRequest } from './reports.ts';
import {
  CreatedShareRequest,
  DeletedShareRequest,
  ShareRequestDetail,
  ShareRequestList,
  toRequest,
  toRequestDetail,
  UpdatedShareRequest,
} from './schemas.ts';

/** Share requests, by which someone without an account hands content to a user (decisions.md#share-requests). */
export const requestRoutes = [
  route({
    endpoint: 'POST /api/share/requests',
    access: 'signed-in',
    scope: 'shares:create',
    summary: 'Create a share request',
    description:
      'Creates a link by which people without an account hand you a text or files: each becomes a private share of yours, marked with the name they gave. It takes exactly as many as it says.',
    status: 201,
    body: RequestInput,
    output: CreatedShareRequest,
    errors: { UNPROCESSABLE: 'The setting MAX_AUDIENCE allows less than anyone with a link.' },
    limits: creationLimits,
    auditAction: 'request.create',
    versionOf: ({ version }) => version,
    idempotency: {
      replay: async (_, subject) => ({
        ...toRequest(await loadBySubject(subject)),
        message: 'Request created',
      }),
    },
    handle: async ({ actor, body, recorder }) => {
      const request = await createRequest(actor, toNewRequest(body), recorder);
      return { ...toRequest(request), message: 'Request created' };
    },
  }),
  route({
    endpoint: 'GET /api/share/requests',
    access: 'signed-in',
    scope: 'shares:view',
    summary: 'List your share requests',
    description: 'Lists your share requests, newest first, for 90 days after their end.',
    query: z.object({ ...pageQuery, ...sortBy(['createdAt']) }),
    output: ShareRequestList,
    readAhead: findRequests,
    handle: async ({ actor, query, ahead }) => {
      const found = await (ahead ?? findRequests(actor.user.id, query));
      return paginated(await loadEntries(found), toRequest).data;
    },
  }),
  route({
    endpoint: 'GET /api/share/requests/{id}',
    access: 'signed-in',
    scope: 'shares:view',
    summary: 'Get a share request',
    description: 'Returns your share request with what was handed in.',
    params: ShareId,
    output: ShareRequestDetail,
    versionOf: ({ version }) => version,
    handle: async ({ actor, params: { id } }) => {
      const request = await loadOwnRequest(actor.user.id, id);
      return toRequestDetail(actor, request, await loadSubmitted(request));
    },
  }),
  route({
    endpoint: 'PUT /api/share/requests/{id}',
    access: 'signed-in',
    scope: 'shares:update',
    summary: 'Update a share request',
    description:
      'Changes only the fields you send; `null` clears a field. A request that has ended takes content again once it is no longer closed, complete or expired.',
    params: ShareId,
    body: RequestChangeInput,
    output: UpdatedShareRequest,
    errors: { GONE: 'The request was taken down.' },
    limits: requestChangeLimits,
    auditAction: 'request.update',
    versionOf: ({ version }) => version,
    handle: async ({ actor, params: { id }, body, recorder, ifMatch }) => {
      const request = await changeRequest(
        actor,
        id,
        async (current) => {
          const submitted = 'submitted' in body ? await loadSubmitted(current) : [];
          return toRequestChange(body, toRequestDetail(actor, current, submitted));
        },
        { recorder, ifMatch },
      );
      return { ...toRequest(request), message: 'Saved' };
    },
  }),
  route({
    endpoint: 'DELETE /api/share/requests/{id}',
    access: 'signed-in',
    scope: 'shares:delete',
    summary: 'Delete a share request',
    description: 'Its page responds with 404 from now on. What was handed in stays in your shares.',
    params: ShareId,
    output: DeletedShareRequest,
    auditAction: 'request.delete',
    versionOf: () => undefined,
    handle: async ({ actor, params: { id }, recorder, ifMatch }) => {
      await deleteRequest(actor, id, { recorder, ifMatch });
      return { id, message: 'Deleted' };
    },
  }),
  route({
    endpoint: 'GET /api/shares/requests',
    access: 'shares:manage',
    summary: 'List reported share requests',
    description: 'Returns the share requests waiting for a decision, longest waiting first.',
    query: z.object({ ...pageQuery, ...sortBy(['reportedAt']) }),
    output: ReportedShareRequestPage,
    readAhead: findReported,
    handle: async ({ actor, query, ahead }) => {
      const found = await (ahead ?? findReported(actor.user.id, query));
      return paginated(await loadReported(found), toReported);
    },
  }),
  route({
    endpoint: 'PUT /api/shares/requests/{id}/decision',
    access: 'shares:manage',
    summary: 'Moderate a share request',
    description:
      'Takes the request down, so that its page responds with 410, or keeps it. Closes its reports.',
    params: ShareId,
    body: DecisionInput,
    output: Success(ReportedShareRequest),
    auditAction: 'request.moderate',
    versionOf: ({ data }) => data.version,
    handle: async ({ actor, params, body: { decision, reason }, recorder, ifMatch }) => {
      const by = { actorId: actor.user.id, recorder, ifMatch };
      const decided = { decision, ...(reason != null && { reason }) };
      const reported = toReported(await moderateRequest(params.id, decided, by));
      return success(reported, decision === 'take-down' ? 'Taken down' : 'Kept');
    },
  }),
];
