import { computed, signal } from '@preact/signals';
import { ApiError } from '../../../../../browser/client/api-error.ts';
import type { Data } from '../../../../../browser/client/endpoints.ts';
import { componentTexts } from '../../../../../browser/components/texts.ts';
import { toast } from '../../../../../browser/components/toast.tsx';
import { createSource } from '../../../../../browser/data/source.ts';
import { api } from '../../../../../browser/shell/api.ts';
import { showFailure } from '../../../../../browser/shell/feedback.ts';
import { assistantTexts as texts } from '../../../assistant-texts.ts';

/** An app that the user has allowed to act as them. */
export type ConnectedApp = Data<'GET /api/apps'>[number];

/** The connected apps, as read last. */
export const apps = createSource(() => api.call('GET /api/apps'));

/** Those that are revoked, also while an older list still has them. */
const revoked = signal<ReadonlySet<number>>(new Set());

/** The connected apps that are shown. */
export const shownApps = computed(() =>
  (apps.data.value ?? []).filter(({ id }) => !revoked.value.has(id)),
);

/** The app that has just been restored, until it has the focus again. */
export const restored = signal<number | undefined>(undefined);

const hide = (id: number): void => {
  revoked.value = new Set([...revoked.value, id]);
};

const show = (id: number): void => {
  revoked.value = new Set([...revoked.value].filter((other) => other !== id));
};

const restore = async (app: ConnectedApp): Promise<void> => {
  const { id, name } = app;
  restored.value = id;
  show(id);
  try {
    await api.call('POST /api/apps/{id}/restore', {
      params: { id },
      isRepeatable: true,
    });
    await apps.load();
  } catch (error) {
    hide(id);
    // Its time is over, or it is gone: trying again changes nothing.
    const isOver = error instanceof ApiError && error.status < 500 && error.status !== 429;
    const text = texts.notRestored(name, (error as Error).message);
    if (isOver) toast({ text, kind: 'bad' });
    else showFailure(text, () => restore(app));
  }
};

/** Revokes an app at once; the user can take it back while the toast is there. */
export const revoke = async (app: ConnectedApp): Promise<void> => {
  const { id, name } = app;
  hide(id);
  try {
    await api.call('DELETE /api/apps/{id}', { params: { id } });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) {
      // It is revoked already, by another page.
      toast({ text: texts.revoked(name) });
      return;
    }
    show(id);
    showFailure(texts.notRevoked(name, (error as Error).message), () => revoke(app));
    return;
  }
  toast({
    text: texts.revoked(name),
    action: { label: componentTexts.undo, run: () => restore(app) },
  });
};
