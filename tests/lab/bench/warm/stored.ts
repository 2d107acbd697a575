import { documentKeys } from '../../../../functions/api/documents/keys.ts';
import { userKeys } from '../../../../shared/auth/keys.ts';

export const userId = 244_212_480_000_000;
export const documentId = 244_212_480_008_192;
export const sessionId = 'c2Vzc2lvbiBvZiB0aGU';

const hourMs = 3_600_000;
const createdAt = '2026-11-21T12:00:00.000Z';
const at = (hours: number) => new Date(Date.now() + hours * hourMs).toISOString();

const user = {
  ...userKeys.record.at({ id: userId }),
  id: userId,
  email: 'ann@example.com',
  username: 'ann',
  name: 'Ann Example',
  role: 'user',
  extraPermissions: ['documents:create', 'documents:update'],
  status: 'active',
  passwordHash: '$2b$12$0123456789012345678901uOf5mEn9xT8iB5GqcZ0u8oQG1m5m5m5',
  timezone: 'Europe/Berlin',
  createdAt,
  updatedAt: createdAt,
  lastLoginAt: createdAt,
  version: 3,
  sessionEpoch: 1,
};

const session = {
  ...userKeys.session.at({ userId, id: sessionId }),
  id: sessionId,
  userId,
  epoch: 1,
  rotation: 4,
  acceptedRotation: 4,
  // Recently used, because the last use is stored only once an hour.
  lastUsedAt: at(0),
  createdAt: at(-24),
  expiresAt: at(24),
  endsAt: at(24 * 29),
  address: '192.0.2.1',
  ttl: Math.ceil(Date.now() / 1_000) + 86_400,
};

const document = {
  ...documentKeys.record.at({ id: documentId }),
  id: documentId,
  authorId: userId,
  title: 'Minutes of the board meeting in May',
  type: 'minutes',
  folder: 'Minutes',
  tags: ['board', '2026', 'draft'],
  size: 0,
  visibility: 'private',
  sharedWith: [244_212_480_004_096, 244_212_480_004_097],
  createdAt,
  updatedAt: createdAt,
  version: 2,
};

/** The table's items for the measured requests: a user, a session, and a document without content. */
export const stored: readonly Readonly<Record<string, unknown>>[] = [user, session, document];
