import * as z from 'zod';
import { route } from '../../../../shared/http/route.ts';
import { maxLinks } from '../record/links.ts';
import { linkEmailLimits } from '../requests/limits.ts';
import { LinkId, ShareId } from '../requests/request-fields.ts';
import { LinkChangeInput, LinkInput, toLinkChange, toNewLink } from './input.ts';
import { createLink, findOwnLink, listLinks, revokeLink } from './links.ts';
import { exampleLink, Link, toLink } from './shown-link.ts';

const LinkList = z
  .object({ items: z.array(Link) })
  .meta({ id: 'ShareLinkList', examples: [{ items: [exampleLink] }] });

const LinkParams = z.object({
  ...ShareId.shape,
  linkId: LinkId.meta({ description: 'The id of the link.' }),
});

const mailNeeded =
  'Email is off, the link has no address, `MAX_AUDIENCE` doesn’t allow it, or the share is sealed.';

/** Links of a share for one recipient each (decisions.md#recipient-links). */
export const linkRoutes = [
  route({
    endpoint: 'GET /api/share/{id}/links',
    access: 'signed-in',
    scope: 'shares:view',
    summary: 'List links of a share',
    description: 'Lists the recipient links of your share with their views, the oldest first.',
    params: ShareId,
    output: LinkList,
    handle: async ({ actor, params: { id } }) => ({
      items: (await listLinks(actor.user.id, id)).map(toLink),
    }),
  }),
  route({
    endpoint: 'POST /api/share/{id}/links',
    access: 'signed-in',
    scope: 'shares:update',
    summary: 'Create a link of a share',
    description: `Creates a link for one recipient, with a limit and an expiration of its own: its views are counted apart. It can be emailed, and ask for a code that only its recipient gets. A share can have ${maxLinks}. Limits, expiration and password of the share still apply.`,
    status: 201,
    params: ShareId,
    body: LinkInput,
    output: Link,
    errors: {
      GONE: 'The share has ended or was taken down.',
      UNPROCESSABLE: mailNeeded,
      CONFLICT: 'The share has the maximum of links.',
    },
    limits: linkEmailLimits((body: z.output<typeof LinkInput>) => body.send === true),
    tools: [
      {
        name: 'share_link_create',
        title: 'Create a link for one recipient',
        description:
          'Creates a link of a share for one person, whose views are counted apart. It opens the share whatever its audience. Ask the person who it is for; send it by email (`send`) only if they say so.',
        hints: {
          readOnlyHint: false,
          destructiveHint: false,
          idempotentHint: false,
          openWorldHint: true,
        },
        inputs: ['id', 'label', 'email', 'send', 'verify', 'viewLimit', 'expiresIn'],
        outputs: ['id', 'url', 'label', 'email', 'sentAt', 'viewLimit', 'expiresAt'],
        showsContent: true,
      },
    ],
    auditAction: 'share.create-link',
    idempotency: {
      replay: async ({ actor, params }, linkId) =>
        toLink(await findOwnLink(actor.user.id, params.id, linkId)),
    },
    handle: async ({ actor, params: { id }, body, recorder }) =>
      toLink(await createLink(actor, id, toNewLink(body), recorder)),
  }),
  route({
    endpoint: 'PUT /api/share/{id}/links/{linkId}',
    access: 'signed-in',
    scope: 'shares:update',
    summary: 'Update a link of a share',
    description:
      'With another address, codes and proofs end, and a link that was sent is sent to it.',
    params: LinkParams,
    body: LinkChangeInput,
    output: Link,
    errors: { GONE: 'The link was revoked.', UNPROCESSABLE: mailNeeded },
    limits: linkEmailLimits((body: z.output<typeof LinkChangeInput>) => body.email != null),
    auditAction: 'share.update-link',
    handle: async ({ actor, params: { id, linkId }, body, recorder }) => {
      const { changeLink } = await import('./change.ts');
      return toLink(await changeLink(actor, id, linkId, toLinkChange(body), recorder));
    },
  }),
  route({
    endpoint: 'POST /api/share/{id}/links/{linkId}/send',
    access: 'signed-in',
    scope: 'shares:update',
    summary: 'Send a link of a share',
    description: 'Emails it to its address, once a minute.',
    params: LinkParams,
    output: Link,
    errors: {
      GONE: 'The link was revoked or has ended, or the share has.',
      UNPROCESSABLE: mailNeeded,
    },
    limits: linkEmailLimits(() => true),
    auditAction: 'share.send-link',
    handle: async ({ actor, params: { id, linkId }, recorder }) => {
      const { sendLink } = await import('./change.ts');
      return toLink(await sendLink(actor, id, linkId, recorder));
    },
  }),
  route({
    endpoint: 'DELETE /api/share/{id}/links/{linkId}',
    access: 'signed-in',
    scope: 'shares:update',
    summary: 'Revoke a link of a share',
    description: 'The link responds with 410 from now on. Its views stay listed.',
    params: LinkParams,
    output: Link,
    auditAction: 'share.revoke-link',
    handle: async ({ actor, params: { id, linkId }, recorder }) =>
      toLink(await revokeLink(actor.user.id, id, linkId, recorder)),
  }),
];
