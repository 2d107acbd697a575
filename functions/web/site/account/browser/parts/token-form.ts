import {
  maxExpirySeconds,
  maxSharesPerDay,
  maxViews,
} from '../../../../../../shared/input/share-limits.ts';
import { type Audience, getNarrowest } from '../../../../../../shared/permissions/audiences.ts';
import { canPublish } from '../../../../../../shared/permissions/scopes.ts';
import { createForm, type Rule } from '../../../../browser/data/form.ts';
import type { Entry } from '../../../../browser/people/entries.ts';
import { api } from '../../../../browser/shell/api.ts';
import { tokenTexts as texts } from '../../token-texts.ts';
import { getGrantable, sharing } from './grantable.ts';
import { created, tokens, url } from './state.ts';
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
}

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
};

const isWithin = (text: string, max: number): boolean =>
  /^[1-9]\d{0,6}$/.test(text) && Number(text) <= max;

/** Returns the permissions and scopes that are chosen. `null` is all. */
export const getChosen = ({
  preset,
  permissions,
}: Pick<TokenValues, 'preset' | 'permissions'>): readonly Entry[] | null =>
  preset === 'custom' ? permissions : getPresetEntries(preset, getGrantable());

const toBody = (values: TokenValues) => {
  const { name, expiration, expiresInDays } = values;
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
  };
};

const toBound =
  (name: (typeof bounds)[number]): Rule<TokenValues, typeof name> =>
  (value, values) =>
    value === '' || !canPublish(getChosen(values)) || isWithin(value, maxOf[name])
      ? undefined
      : texts.boundWrong(maxOf[name]);

/** Creates the form of a new API token. */
export const createTokenForm = () => {
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
      created.value = await api.call('POST /api/auth/tokens', { body: toBody(values) });
      form.discard();
      url.close({ isCreating: false });
      await tokens.load();
    },
  });
  return form;
};
