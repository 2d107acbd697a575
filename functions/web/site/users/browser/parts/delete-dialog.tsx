import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { Button } from '../../../../browser/components/button.tsx';
import { confirm, Dialog, openDialog } from '../../../../browser/components/dialog.tsx';
import { Notice } from '../../../../browser/components/notice.tsx';
import { toast } from '../../../../browser/components/toast.tsx';
import { runForEach } from '../../../../browser/data/bulk.ts';
import { formatList, formatNumber } from '../../../../browser/data/format.ts';
import { createSource } from '../../../../browser/data/source.ts';
import type { FoundPerson } from '../../../../browser/people/directory.ts';
import { PersonSearch } from '../../../../browser/people/person-search.tsx';
import { api } from '../../../../browser/shell/api.ts';
import { showFailure } from '../../../../browser/shell/feedback.ts';
import { may } from '../../../../browser/shell/session.ts';
import { leaveGone } from '../../../../browser/shell/unsaved.ts';
import { usersTexts as texts } from '../../texts.ts';
import { list, selection, type User, url, view } from './state.ts';

const transferPermissions = [
  'documents:manage',
  'files:manage',
  'calendar:manage',
  'shares:manage',
] as const;

interface DeleteDialogProps {
  readonly user: User;
  readonly close: () => void;
  readonly send: (transferTo: number | undefined) => Promise<void>;
}

const kinds = ['shares', 'documents', 'files', 'events'] as const;

/** What the user owns. Without an answer, the dialog works as well. */
const Belongings = ({ id }: { readonly id: number }) => {
  const source = useMemo(
    () => createSource(() => api.call('GET /api/users/{id}/belongings', { params: { id } })),
    [id],
  );
  useEffect(() => void source.load(), [source]);
  const counts = source.data.value;
  if (!counts) return null;
  const owned = kinds.flatMap((kind) => {
    const { total, totalIsExact } = counts[kind];
    if (total === 0) return [];
    return [texts.counts[kind](totalIsExact ? formatNumber(total) : `${formatNumber(total)}+`)];
  });
  return (
    <p class="sub" id="belongings" role="status">
      {owned.length === 0 ? texts.ownsNothing : texts.owns(formatList(owned))}
    </p>
  );
};

const DeleteDialog = ({ user, close, send }: DeleteDialogProps) => {
  const isTransfer = useSignal(false);
  const receiver = useSignal<FoundPerson | undefined>(undefined);
  const isMissing = useSignal(false);
  const field = useRef<HTMLDivElement>(null);
  const failure = useSignal<string | undefined>(undefined);
  const isBusy = useSignal(false);
  const mayTransfer = transferPermissions.every((permission) => may(permission));
  const submit = async () => {
    if (isTransfer.value && !receiver.value) {
      isMissing.value = true;
      field.current?.querySelector('input')?.focus();
      return;
    }
    isBusy.value = true;
    failure.value = undefined;
    try {
      await send(isTransfer.value ? receiver.value?.id : undefined);
    } catch (error) {
      failure.value = (error as Error).message;
      isBusy.value = false;
    }
  };
  return (
    <Dialog title={texts.deleteTitle(user.name)} onClose={close}>
      <p class="sub mt0">{texts.deleteText}</p>
      <Belongings id={user.id} />
      <label class="opt">
        <input
          type="radio"
          name="things"
          checked={!isTransfer.value}
          onChange={() => {
            isTransfer.value = false;
          }}
        />
        {texts.deleteBelongings}
      </label>
      <label class="opt">
        <input
          type="radio"
          name="things"
          checked={isTransfer.value}
          disabled={!mayTransfer}
          onChange={() => {
            isTransfer.value = true;
          }}
        />
        <span>
          {texts.transfer}
          {!mayTransfer && <span class="hint blk">{texts.transferDenied}</span>}
        </span>
      </label>
      {isTransfer.value && (
        <div ref={field}>
          <PersonSearch
            label={texts.transferTo}
            error={isMissing.value && !receiver.value ? texts.chooseReceiver : undefined}
            chosen={receiver.value ? [receiver.value] : []}
            room={1}
            whyNot={({ id }) => (id === user.id ? texts.isDeleted : undefined)}
            onAdd={([next]) => {
              receiver.value = next;
            }}
            onRemove={() => {
              receiver.value = undefined;
            }}
          />
        </div>
      )}
      {failure.value !== undefined && <Notice kind="bad">{failure.value}</Notice>}
      <div class="acts">
        <Button autofocus onClick={close}>
          {texts.cancel}
        </Button>
        <Button kind="danger" isBusy={isBusy.value} onClick={submit}>
          {texts.delete}
        </Button>
      </div>
    </Dialog>
  );
};

/** Shows that users are gone. */
const leaveOut = (ids: ReadonlySet<number>): void => {
  const { open } = view.value;
  if (typeof open === 'number' && ids.has(open)) leaveGone(() => url.close({ open: undefined }));
  selection.value = new Set();
  void list.load();
};

/** Asks what happens to a user’s things, and deletes the user. */
export const askToDelete = (user: User): void =>
  openDialog((close) => {
    const send = async (transferTo: number | undefined) => {
      await api.call('DELETE /api/users/{id}', {
        params: { id: user.id },
        query: { ...(transferTo !== undefined && { transferTo: String(transferTo) }) },
      });
      close();
      toast({ text: texts.deleted(user.name) });
      leaveOut(new Set([user.id]));
    };
    return <DeleteDialog user={user} close={close} send={send} />;
  });

/** Asks before users are deleted with all that they own. */
export const askToDeleteAll = async (users: readonly User[]): Promise<void> => {
  const [only] = users;
  if (!only) return;
  if (users.length === 1) {
    askToDelete(only);
    return;
  }
  const isAgreed = await confirm({
    title: texts.deleteSomeTitle(formatNumber(users.length)),
    text: texts.deleteSomeText,
    action: texts.delete,
  });
  if (!isAgreed) return;
  const { done, failed } = await runForEach(users, ({ id }) =>
    api.call('DELETE /api/users/{id}', { params: { id } }),
  );
  if (done.length > 0) toast({ text: formatList(done.map(({ name }) => texts.deleted(name))) });
  leaveOut(new Set(done.map(({ id }) => id)));
  if (failed[0]) {
    const names = formatList(failed.map(({ item }) => item.name));
    const again = () => askToDeleteAll(failed.map(({ item }) => item));
    showFailure(texts.notDeleted(names, failed[0].error.message), again);
  }
};
