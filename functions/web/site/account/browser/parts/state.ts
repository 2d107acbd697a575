import { signal } from '@preact/signals';
import { ConflictError } from '../../../../browser/client/api-error.ts';
import type { Data, Options } from '../../../../browser/client/endpoints.ts';
import { createSource } from '../../../../browser/data/source.ts';
import { createUrlState } from '../../../../browser/data/url-state.ts';
import { api } from '../../../../browser/shell/api.ts';
import { accountTexts as texts } from '../../account-texts.ts';
import { parseView, type Tab, toUrl, type View } from '../../view.ts';
import { hasProviders } from './providers.ts';

export type User = Data<'GET /api/users/me'>;
export type Session = Data<'GET /api/auth/sessions'>[number];
export type Factors = Data<'GET /api/auth/factors'>;
export type Connections = Data<'GET /api/auth/identities'>;
export type Token = Data<'GET /api/auth/tokens'>[number];

export const user = createSource(() => api.call('GET /api/users/me'));
export const sessions = createSource(() => api.call('GET /api/auth/sessions'));
export const factors = createSource(() => api.call('GET /api/auth/factors'));
export const connections = createSource(() => api.call('GET /api/auth/identities'));
export const tokens = createSource(() => api.call('GET /api/auth/tokens'));
export const history = createSource(() => api.call('GET /api/checkin'));

type Change = NonNullable<Options<'PUT /api/users/me'>['body']>;

/** Changes the user as it was read last. @throws Error if it has changed meanwhile */
export const saveUser = async (body: Change): Promise<User> => {
  try {
    const version = user.data.value?.version;
    user.data.value = await api.call('PUT /api/users/me', { body, ifMatch: version });
    return user.data.value;
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    await user.load();
    throw new Error(texts.changedElsewhere);
  }
};

/** The token that has just been created, with its secret, until the user has copied it. */
export const created = signal<Data<'POST /api/auth/tokens'> | undefined>(undefined);

/** Loads what a tab shows besides the user. */
export const loadTab = (tab: Tab): void => {
  if (tab === 'security') {
    void factors.load();
    if (hasProviders()) void connections.load();
    void sessions.load();
  }
  if (tab === 'tokens') void tokens.load();
  if (tab === 'check-in') void history.load();
};

export const url = createUrlState<View>({
  parse: parseView,
  toUrl,
  getFormOf: ({ tab, isCreating, open }) => [tab, isCreating, open],
  onChange: (next, before) => {
    if (next.tab !== before.tab) loadTab(next.tab);
  },
});
