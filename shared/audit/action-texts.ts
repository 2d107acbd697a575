/** What was done, by the kinds of its subject: as pages and webhooks say it. The keys are the actions of the audit log after the kind. */
export const auditActionTexts: Readonly<
  Record<string, { readonly label: string; readonly actions: Readonly<Record<string, string>> }>
> = {
  user: {
    label: 'Users',
    actions: {
      create: 'User created',
      update: 'User changed',
      invite: 'Invitation sent',
      register: 'Account registered',
      delete: 'User deleted',
      leave: 'Own account deleted, to be gone in 7 days',
      return: 'Own account kept',
      export: 'Users exported',
    },
  },
  invitation: { label: 'Invitations', actions: { accept: 'Invitation accepted' } },
  session: {
    label: 'Sessions',
    actions: {
      create: 'Signed in',
      fail: 'Sign-in failed',
      end: 'Signed out',
      revoke: 'Session ended',
      reuse: 'Used refresh token sent again',
      prove: 'Proved who they are',
    },
  },
  password: {
    label: 'Passwords',
    actions: { change: 'Password changed', reset: 'Password reset' },
  },
  factor: {
    label: 'Second factors',
    actions: {
      create: 'Second factor added',
      rename: 'Passkey renamed',
      delete: 'Second factor removed',
      reset: 'Second factors removed by an administrator',
    },
  },
  identity: {
    label: 'Connected accounts',
    actions: { connect: 'Account connected', disconnect: 'Account disconnected' },
  },
  codes: { label: 'Recovery codes', actions: { create: 'Recovery codes created' } },
  email: {
    label: 'Email addresses',
    actions: {
      verify: 'Email address verified',
      cancel: 'Change of email address canceled',
      restore: 'Email address restored',
    },
  },
  token: {
    label: 'API tokens',
    actions: { create: 'API token created', revoke: 'API token revoked' },
  },
  role: {
    label: 'Roles',
    actions: { create: 'Role created', update: 'Role changed', delete: 'Role deleted' },
  },
  spending: { label: 'Spending limit', actions: { lift: 'Spending limit lifted' } },
  app: {
    label: 'Connected apps',
    actions: {
      allow: 'App connected',
      revoke: 'App revoked',
      restore: 'Revoked app restored',
      end: 'App disconnected itself',
      reuse: 'Used code or token of an app sent again',
    },
  },
  share: {
    label: 'Shares',
    actions: {
      create: 'Share created',
      submit: 'Share handed in',
      update: 'Share changed',
      end: 'Share ended',
      reopen: 'Share reopened',
      'create-link': 'Link of share created',
      'update-link': 'Link of share changed',
      'send-link': 'Link of share sent',
      'revoke-link': 'Link of share revoked',
      'restore-revision': 'Revision of share restored',
      report: 'Share reported',
      moderate: 'Share moderated',
      transfer: 'Share transferred',
      delete: 'Share deleted',
      export: 'Shares exported',
    },
  },
  upload: {
    label: 'Uploads of shares',
    actions: {
      create: 'Upload for a share started',
      expire: 'Unfinished upload for a share removed',
      delete: 'Upload for a share deleted',
    },
  },
  request: {
    label: 'Share requests',
    actions: {
      create: 'Request created',
      update: 'Request changed',
      report: 'Request reported',
      moderate: 'Request moderated',
      delete: 'Request deleted',
    },
  },
  document: {
    label: 'Documents',
    actions: {
      create: 'Document created',
      update: 'Document changed',
      share: 'Document shared',
      unshare: 'Access to document removed',
      transfer: 'Document transferred',
      delete: 'Document moved to the trash',
      restore: 'Document restored',
      'restore-revision': 'Revision of document restored',
      purge: 'Document deleted forever',
    },
  },
  file: {
    label: 'Files',
    actions: {
      upload: 'File uploaded',
      presign: 'Upload started',
      complete: 'Upload completed',
      expire: 'Unfinished upload removed',
      'create-folder': 'Folder created',
      update: 'File changed',
      share: 'File shared',
      unshare: 'Access to file removed',
      restore: 'File restored',
      transfer: 'File transferred',
      delete: 'File deleted',
      purge: 'File deleted with its owner',
    },
  },
  event: {
    label: 'Calendar',
    actions: {
      create: 'Event created',
      update: 'Event changed',
      'update-occurrence': 'Occurrence changed',
      'cancel-occurrence': 'Occurrence canceled',
      respond: 'Invitation answered',
      leave: 'Attendee removed',
      transfer: 'Event transferred',
      delete: 'Event deleted',
    },
  },
  feed: {
    label: 'Calendar feeds',
    actions: { create: 'Calendar feed created', revoke: 'Calendar feed revoked' },
  },
  webhook: {
    label: 'Webhooks',
    actions: {
      create: 'Webhook created',
      update: 'Webhook changed',
      'renew-secret': 'Secret of webhook renewed',
      test: 'Test sent to webhook',
      redeliver: 'Delivered to webhook again',
      pause: 'Webhook paused',
      delete: 'Webhook deleted',
    },
  },
  export: {
    label: 'Exports',
    actions: {
      create: 'Own data asked for',
      download: 'Export downloaded',
      delete: 'Export deleted',
    },
  },
  job: { label: 'Jobs', actions: { retry: 'Failed job tried again' } },
  message: { label: 'Messages', actions: { send: 'Message sent' } },
  sale: {
    label: 'Sales',
    actions: {
      create: 'Sale recorded',
      update: 'Sale changed',
      refund: 'Sale refunded',
      delete: 'Sale deleted',
      export: 'Sales exported',
    },
  },
  audit: { label: 'Audit log', actions: { export: 'Audit log exported' } },
};

/** Returns whether the audit log has an action. */
export const isAuditAction = (action: string): boolean => {
  const [kind = '', verb = '', more] = action.split('.');
  return (
    more === undefined &&
    Object.hasOwn(auditActionTexts, kind) &&
    Object.hasOwn(auditActionTexts[kind]?.actions ?? {}, verb)
  );
};

/** Returns what an action is called; its own name if it is unknown. */
export const getActionText = (action: string): string => {
  const [kind = '', verb = ''] = action.split('.');
  const actions = Object.hasOwn(auditActionTexts, kind) ? auditActionTexts[kind]?.actions : {};
  return (Object.hasOwn(actions ?? {}, verb) ? actions?.[verb] : undefined) ?? action;
};
