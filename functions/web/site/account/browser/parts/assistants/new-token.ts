import { signal } from '@preact/signals';
import type { Data } from '../../../../../browser/client/endpoints.ts';
import { createForm } from '../../../../../browser/data/form.ts';
import { api } from '../../../../../browser/shell/api.ts';
import { assistantTexts as texts } from '../../../assistant-texts.ts';
import type { ConnectionWay } from '../../../view.ts';
import { url } from '../state.ts';
import { getPreset, type PresetName } from './presets.ts';

/** The token that has been created here, until this part is left. */
export const newToken = signal<Data<'POST /api/auth/tokens'> | undefined>(undefined);
/** Whether the user has a copy of it. */
export const isCopied = signal(false);

interface Values {
  readonly preset: PresetName;
}

const getName = (by: ConnectionWay | undefined): string =>
  texts.tokenNames[by === 'token' ? 'token' : 'command'];

const initial: Values = { preset: 'private' };

/** The choice of what a new token may do. */
export const tokenForm = createForm<Values>({
  initial,
  send: async ({ preset }) => {
    newToken.value = await api.call('POST /api/auth/tokens', {
      body: { name: getName(url.view.value.by), ...getPreset(preset) },
    });
    isCopied.value = false;
  },
});

/** Forgets the token and what was chosen for it. */
export const forgetToken = (): void => {
  newToken.value = undefined;
  tokenForm.reset(initial);
};

/** Returns whether leaving would lose a token that no one has copied. */
export const isTokenLost = (): boolean => newToken.value !== undefined && !isCopied.value;
