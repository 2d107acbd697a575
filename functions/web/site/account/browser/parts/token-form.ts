import {
  maxExpirySeconds,
  maxSharesPerDay,
  maxViews,
} from '../../../../../../shared/input/share-limits.ts';
import {
  type Audience,
  audiences,
  getNarrowest,
  isWider,
} from '../../../../../../shared/permissions/audiences.ts';
import { canPublish, scopes } from '../../../../../../shared/permissions/scopes.ts';
import { ApiError } from '../../../../browser/client/api-error.ts';
import { createForm, type Rule } from '../../../../browser/data/form.ts';
import { type Entry, expandPermissions } from '../../../../browser/people/permission-grid.tsx';
import { api } from '../../../../browser/shell/api.ts';
import { signedIn } from '../../../../browser/shell/session.ts';
import { tokenTexts as texts } from '../../token-texts.ts';
import { created, tokens, url, user } from './state.ts';
import { getPresetEntries, type Preset } from './token-rights.ts';

export const expirations = ['30', '90', '365', 'custom', 'never'] as const;

export const bounds = ['maxAgeDays', 'maxViews', 'sharesPerDay'] as const;

const dayS = 86_400;
const maxOf = {
  maxAgeDays: maxExpirySeconds / dayS,
  maxViews,
  sharesPerDay: maxSharesPerDay,
} as const;

/** The fields of a new API token. */
export interface TokenValues {
  readonly name: string;
  readonly expiration: (typeof expirations)[number];
  /** For `custom`. */
  readonly expiresInDays: string;
  readonly preset: Preset;
  /** For `custom`. */
  readonly permissions: readonly Entry[];
  readonly maxAudience: Audience;
  readonly maxAgeDays: string;
  readonly maxViews: string;
  readonly sharesPerDay: string;
  /** Asked for once the service wants it. */
  readonly currentPassword: string;
}

/** Who can open shares by default and at most, and whether they can be for everyone here. */
const sharing = signedIn?.audience ?? { default: 'link', max: 'link', membersKnown: true };

/** Whether pages can't be for everyone here. */
export const isWithoutMembers = !sharing.membersKnown && !isWider('members', sharing.max);

/** Who can open what tokens publish: no one whom the service excludes. */
export const offeredAudiences = audiences
  .filter((audience) => !isWider(audience, sharing.max))
  .map((audience) => ({ audience, isOff: audience === 'members' && isWithoutMembers }));

const initial: TokenValues = {
  name: '',
  expiration: '90',
  expiresInDays: '',
  preset: 'publish',
  permissions: [],
  maxAudience: getNarrowest(sharing.default, sharing.max),
  maxAgeDays: '7',
  maxViews: '',
  sharesPerDay: '20',
  currentPassword: '',
};

const isWithin = (text: string, max: number): boolean =>
  /^[1-9]\d{0,6}$/.test(text) && Number(text) <= max;

/** Returns what the user may give: the own permissions, and all scopes. */
export const getGrantable = (): ReadonlySet<Entry> =>
  new Set([
    ...scopes,
    ...expandPermissions(user.data.value?.permissions ?? signedIn?.permissions ?? []),
  ]);

/** Returns the permissions and scopes that are chosen. `null` is all. */
export const getChosen = ({
  preset,
  permissions,
}: Pick<TokenValues, 'preset' | 'permissions'>): readonly Entry[] | null =>
  preset === 'custom' ? permissions : getPresetEntries(preset, getGrantable());

const toBody = (values: TokenValues) => {
  const { name, expiration, expiresInDays, currentPassword } = values;
  const days = expiration === 'custom' ? expiresInDays : expiration;
  const chosen = getChosen(values);
  const { maxAudience, maxAgeDays, maxViews, sharesPerDay } = values;
  const ceiling = {
    ...(maxAudience !== 'link' && { maxAudience }),
    ...(maxAgeDays !== '' && { maxAge: Number(maxAgeDays) * dayS }),
    ...(maxViews !== '' && { maxViews: Number(maxViews) }),
    ...(sharesPerDay !== '' && { sharesPerDay: Number(sharesPerDay) }),
  };
  return {
    name,
    ...(expiration !== 'never' && { expiresInDays: Number(days) }),
    ...(chosen && { permissions: [...chosen] }),
    ...(canPublish(chosen) && { ceiling }),
    ...(currentPassword !== '' && { currentPassword }),
  };
};

const toBound =
  (name: (typeof bounds)[number]): Rule<TokenValues, typeof name> =>
  (value, values) =>
    value === '' || !canPublish(getChosen(values)) || isWithin(value, maxOf[name])
      ? undefined
      : texts.boundWrong(maxOf[name]);

/** Says in the words of the page why a password is needed. */
const explain = (error: unknown): unknown =>
  error instanceof ApiError && error.code === 'REAUTHENTICATION_REQUIRED'
    ? new ApiError(error.status, texts.passwordNeeded, {
        code: error.code,
        details: [{ field: 'currentPassword', message: texts.passwordNeeded }],
      })
    : error;

/** Creates the form of a new API token. `onPasswordNeeded` is called when the service asks for the password. */
export const createTokenForm = (onPasswordNeeded: () => void) => {
  const form = createForm<TokenValues>({
    initial,
    rules: {
      name: (value) => (value.trim() === '' ? texts.tokenNameMissing : undefined),
      expiresInDays: (value, { expiration }) =>
        expiration !== 'custom' || isWithin(value, 3_650) ? undefined : texts.daysWrong,
      maxAgeDays: toBound('maxAgeDays'),
      maxViews: toBound('maxViews'),
      sharesPerDay: toBound('sharesPerDay'),
    },
    send: async (values) => {
      try {
        created.value = await api.call('POST /api/auth/tokens', { body: toBody(values) });
      } catch (error) {
        const known = explain(error);
        if (known !== error) onPasswordNeeded();
        throw known;
      }
      form.discard();
      url.close({ isCreating: false });
      await tokens.load();
    },
  });
  return form;
};
