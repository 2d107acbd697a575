import { signal } from '@preact/signals';
import type { Data } from '../../../../browser/client/endpoints.ts';
import { toast } from '../../../../browser/components/toast.tsx';
import { createSource } from '../../../../browser/data/source.ts';
import { api } from '../../../../browser/shell/api.ts';
import { showFailure } from '../../../../browser/shell/feedback.ts';
import { settingsTexts as texts } from '../../texts.ts';

export type SpendingOfMonth = NonNullable<Data<'GET /api/settings/spending'>>;

export const spending = createSource<SpendingOfMonth | null>(() =>
  api.call('GET /api/settings/spending'),
);

export const isLifting = signal(false);

/** Lifts the limit until the end of the month. */
export const lift = async (): Promise<void> => {
  if (isLifting.value) return;
  isLifting.value = true;
  try {
    spending.data.value = await api.call('POST /api/settings/spending/lift', { body: {} });
    toast({ text: texts.spending.isLifted });
  } catch (error) {
    showFailure((error as Error).message, lift);
  } finally {
    isLifting.value = false;
  }
};
