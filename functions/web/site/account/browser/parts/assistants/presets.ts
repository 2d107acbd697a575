import { isWider } from '../../../../../../../shared/permissions/audiences.ts';
import { getGrantable, sharing } from '../grantable.ts';

const daySeconds = 86_400;

/** What an assistant publishes at most: few pages that end soon, so that creating the token needs no password. */
const bounds = { maxAge: 7 * daySeconds, sharesPerDay: 20 } as const;
const publishing = ['shares:create', 'shares:update', 'shares:view'] as const;

/** What a token for an assistant may do, by the name of the choice. The first is the default. */
const presets = {
  private: { permissions: publishing, ceiling: { ...bounds, maxAudience: 'private' } },
  members: { permissions: publishing, ceiling: { ...bounds, maxAudience: 'members' } },
  read: { permissions: ['shares:view', 'documents:view'], ceiling: undefined },
} as const;

export type PresetName = keyof typeof presets;

export const presetNames = Object.keys(presets) as readonly PresetName[];

/** A token lasts as long as one can without a password. */
const expiresInDays = 90;

/** Returns what a token of a preset may do: of its permissions, those that the user has. */
export const getPreset = (name: PresetName) => {
  const { permissions, ceiling } = presets[name];
  const grantable = getGrantable();
  return {
    permissions: permissions.filter((entry) => grantable.has(entry)),
    ...(ceiling && { ceiling }),
    expiresInDays,
  };
};

/** Why no page can be for everyone here; `undefined` if one can. */
export const whyNotMembers: 'excluded' | 'unknown' | undefined = isWider('members', sharing.max)
  ? 'excluded'
  : sharing.membersKnown
    ? undefined
    : 'unknown';
