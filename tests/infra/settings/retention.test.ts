import { describe, expect, it } from 'vitest';
import { describeDeletions } from '../../../infra/stack/settings/retention.ts';

describe('what a deployment deletes', () => {
  it('is said of each setting that keeps something for a shorter time', () => {
    const before = { AUDIT_KEEP: '400d', MESSAGES_KEEP: '' };
    const after = { AUDIT_KEEP: '', MESSAGES_KEEP: '365d', MAX_SHARE_AGE: '36h' };
    expect(describeDeletions(before, { ...after, NOTIFICATIONS_KEEP: '30d' })).toEqual([
      'AUDIT_KEEP: Audit entries older than 365 days are no longer shown.',
      'MAX_SHARE_AGE: Shares older than 36 hours end at once, and their content is deleted within minutes. A longer time brings none of it back.',
      'MESSAGES_KEEP: Messages older than 365 days are deleted for everyone, within minutes in most cases. A longer time brings none of them back.',
      'NOTIFICATIONS_KEEP: Notifications older than 30 days are hidden at once and deleted within minutes. A longer time brings none of them back.',
    ]);
  });

  it('is nothing for the same and for longer times', () => {
    const before = { MESSAGES_KEEP: '365d', NOTIFICATIONS_KEEP: '30d' };
    const longer = { MESSAGES_KEEP: '', NOTIFICATIONS_KEEP: '', MAX_SHARE_AGE: '' };
    expect(describeDeletions(before, longer)).toEqual([]);
    expect(describeDeletions({ NOTIFICATIONS_KEEP: '90d' }, {})).toEqual([]);
  });
});
