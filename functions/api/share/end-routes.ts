import { route } from '../../../shared/http/route.ts';
import { assertCanClose, toSummaryResponse } from './changing/edit-check.ts';
import { loadShare } from './reading/load.ts';
import { notFound } from './record/share.ts';
import { ShareId } from './requests/request-fields.ts';
import { EndedShare, ReopenedShare } from './requests/schemas.ts';

/** Ending a share, and taking that back (decisions.md#share-end). */
export const endRoutes = [
  route({
    endpoint: 'POST /api/share/{id}/end',
    access: 'signed-in',
    scope: 'shares:delete',
    summary: 'End a share',
    description: 'The share responds with 410 from now on, and its content is deleted.',
    params: ShareId,
    output: EndedShare,
    errors: { GONE: 'The share has already ended or was taken down.' },
    tools: [
      {
        name: 'share_end',
        title: 'End a share',
        description:
          'Ends a share for good: its link stops working and its content is deleted. Ask the person first, and name the share by its title.',
        hints: {
          readOnlyHint: false,
          destructiveHint: true,
          idempotentHint: true,
          openWorldHint: true,
        },
        outputs: ['id', 'title', 'status', 'views'],
        showsContent: true,
      },
    ],
    auditAction: 'share.end',
    versionOf: ({ version }) => version,
    handle: async ({ actor, params, recorder, ifMatch }) => {
      const check = assertCanClose(actor, ifMatch);
      const admitCloser = async () => {
        const current = await loadShare(params.id);
        await check(current.share);
        return current;
      };
      const { closeShare } = await import('./ending/close.ts');
      const found = await closeShare(actor.user, admitCloser, recorder);
      return { ...toSummaryResponse(actor, found), message: 'Share ended' };
    },
  }),
  route({
    endpoint: 'POST /api/share/{id}/reopen',
    access: 'session',
    summary: 'Reopen a share',
    description:
      'Takes back that you ended your share, for a minute: its link works again, with the views that are left. A share that is open stays as it is.',
    params: ShareId,
    output: ReopenedShare,
    errors: {
      GONE: 'You ended the share more than a minute ago, something else ended it, or it was taken down.',
    },
    auditAction: 'share.reopen',
    versionOf: ({ version }) => version,
    handle: async ({ actor, params, recorder, ifMatch }) => {
      const check = assertCanClose(actor, ifMatch);
      const { reopenShare } = await import('./ending/reopen.ts');
      const found = await reopenShare(
        params.id,
        async (share) => {
          if (share.ownerId !== actor.user.id) throw notFound();
          await check(share);
        },
        recorder,
      );
      return { ...toSummaryResponse(actor, found), message: 'Share reopened' };
    },
  }),
];
