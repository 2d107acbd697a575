import { OwnUser, toOwnUser } from '../../../../shared/auth/user.ts';
import type { ArchiveSection } from '../../../../shared/exports/archive-entry.ts';

/** The owner's profile, as `GET /api/users/me` shows it. */
export const section: ArchiveSection = {
  name: 'profile',
  async *entries({ user, roles }) {
    yield {
      path: 'profile.json',
      modifiedAt: user.updatedAt,
      content: `${JSON.stringify(OwnUser.parse(toOwnUser(user, roles)), undefined, 2)}\n`,
    };
  },
};
