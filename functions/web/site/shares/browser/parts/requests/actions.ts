import type { MenuItem } from '../../../../../browser/components/menu.tsx';
import { componentTexts } from '../../../../../browser/components/texts.ts';
import { toast } from '../../../../../browser/components/toast.tsx';
import { copyText } from '../../../../../browser/data/clipboard.ts';
import { api } from '../../../../../browser/shell/api.ts';
import { showFailure } from '../../../../../browser/shell/feedback.ts';
import { requestTexts as texts } from '../../../request-texts.ts';
import { remove, type ShareRequest, update } from './state.ts';

/** Asks what to ask for, or what to change about a request. */
export const edit = async (request?: ShareRequest): Promise<void> =>
  (await import('./form.tsx')).openForm(request);

/** Copies the address of a request. */
export const copyLink = ({ url }: ShareRequest): unknown =>
  copyText(url, texts.linkCopied, texts.copyFailed);

/** Closes a request or opens it again, which can be undone for some seconds. */
const setClosed = async (request: ShareRequest, closed: boolean): Promise<void> => {
  const { id, title } = request;
  try {
    const params = { id };
    const changed = await api.call('PUT /api/share/requests/{id}', { params, body: { closed } });
    update(changed);
    toast({
      text: closed ? texts.wasClosed(title) : texts.wasReopened(title),
      action: { label: componentTexts.undo, run: () => setClosed(changed, !closed) },
    });
  } catch (error) {
    showFailure(texts.notChanged(title, (error as Error).message), () =>
      setClosed(request, closed),
    );
  }
};

/** Lists what can be done with a request. */
export const listActions = (request: ShareRequest): readonly MenuItem[] => {
  const { url: href, status } = request;
  const deletion: MenuItem = {
    label: texts.delete,
    icon: 'trash',
    isBad: true,
    run: () => remove(request),
  };
  if (status === 'taken-down') return [deletion];
  const change: MenuItem = { label: texts.edit, icon: 'pen', run: () => edit(request) };
  if (status === 'closed') {
    const reopen = () => setClosed(request, false);
    return [change, { label: texts.reopen, icon: 'undo', run: reopen }, deletion];
  }
  if (status !== 'open') return [change, deletion];
  const close = () => setClosed(request, true);
  return [
    { label: texts.copyLink, icon: 'link', run: () => copyLink(request) },
    { label: texts.openPage, icon: 'open', href },
    change,
    { label: texts.close, icon: 'clock', startsGroup: true, run: close },
    deletion,
  ];
};
