import { signal } from '@preact/signals';
import type { Data } from '../../../../browser/client/endpoints.ts';
import { toast } from '../../../../browser/components/toast.tsx';
import { createSource } from '../../../../browser/data/source.ts';
import { api } from '../../../../browser/shell/api.ts';
import { showFailure } from '../../../../browser/shell/feedback.ts';
import { settingsTexts as texts } from '../../texts.ts';

export type Configuration = Data<'GET /api/settings'>;
export type Health = Data<'GET /api/settings/health'>;

export const settings = createSource<Configuration>(() => api.call('GET /api/settings'));
export const health = createSource<Health>(() => api.call('GET /api/settings/health'));

export const isChecking = signal(false);
export const isSending = signal(false);

/** Checks the health again. */
export const checkAgain = async (): Promise<void> => {
  isChecking.value = true;
  await health.load();
  isChecking.value = false;
};

/** Sends an email to the user, and says how that went. */
export const sendTest = async (): Promise<void> => {
  if (isSending.value) return;
  isSending.value = true;
  try {
    const { sentTo } = await api.call('POST /api/settings/test-mail');
    toast({ text: texts.sentTest(sentTo) });
  } catch (error) {
    showFailure((error as Error).message, sendTest);
  } finally {
    isSending.value = false;
  }
};
