import type { MenuItem } from '../../../../browser/components/menu.tsx';
import { toast } from '../../../../browser/components/toast.tsx';
import { runForEach } from '../../../../browser/data/bulk.ts';
import { formatList, formatNumber } from '../../../../browser/data/format.ts';
import { api } from '../../../../browser/shell/api.ts';
import { showFailure } from '../../../../browser/shell/feedback.ts';
import { may } from '../../../../browser/shell/session.ts';
import { usersTexts as texts } from '../../texts.ts';
import { isMailOn } from './mail.ts';
import { list, records, rightsOf, selection, type User, url } from './state.ts';

interface Change {
  readonly status?: User['status'];
  readonly role?: string;
}

/** Changes users, by one request each. Says by name whose change failed. */
export const change = async (users: readonly User[], body: Change): Promise<void> => {
  const { done, failed } = await runForEach(users, async ({ id, version }) => {
    records.show(await api.call('PUT /api/users/{id}', { params: { id }, body, ifMatch: version }));
  });
  const [first] = done;
  if (first) {
    const count = formatNumber(done.length);
    toast({ text: done.length === 1 ? texts.changed(first.name) : texts.changedSome(count) });
  }
  if (!failed[0]) {
    selection.value = new Set();
    return;
  }
  selection.value = new Set(failed.map(({ item }) => item.id));
  await list.load();
  const names = formatList(failed.map(({ item }) => item.name));
  const ids = new Set(failed.map(({ item }) => item.id));
  const again = () => change(list.items.value?.filter(({ id }) => ids.has(id)) ?? [], body);
  showFailure(texts.notChanged(names, failed[0].error.message), again);
};

/** Sends a link for a new password to a user who has one, as anyone can who knows the address. */
const sendResetLink = async (user: User): Promise<void> => {
  try {
    await api.call('POST /api/auth/forgot-password', { body: { email: user.email } });
    toast({ text: texts.resetLinkSent(user.name) });
  } catch (error) {
    showFailure((error as Error).message, () => sendResetLink(user));
  }
};

/** Returns whether a link for a new password reaches a user. */
const canReset = ({ status, invited, emailProblem }: User): boolean =>
  isMailOn && status === 'active' && !invited && !emailProblem;

/** Asks what happens to a user’s things, and deletes the user. */
export const remove = async (user: User): Promise<void> =>
  (await import('./delete-dialog.tsx')).askToDelete(user);

/** Asks before several users are deleted. */
export const removeAll = async (users: readonly User[]): Promise<void> =>
  (await import('./delete-dialog.tsx')).askToDeleteAll(users);

/** Lists what can be done with a user. */
export const listActions = (user: User): readonly MenuItem[] => {
  const { id, status } = user;
  const { mayUpdate, mayDelete } = rightsOf(user);
  const items: (MenuItem | false)[] = [
    { label: texts.edit, icon: 'pen', run: () => url.change({ open: id }, 'push') },
    may('audit:view') && {
      label: texts.showInAudit,
      icon: 'log',
      href: `/audit?subject=user:${id}`,
    },
    mayUpdate &&
      canReset(user) && {
        label: texts.sendResetLink,
        icon: 'mail',
        run: () => sendResetLink(user),
      },
    mayUpdate &&
      status !== 'active' && {
        label: texts.activate,
        icon: 'check',
        startsGroup: true,
        run: () => change([user], { status: 'active' }),
      },
    mayUpdate &&
      status !== 'suspended' && {
        label: texts.suspend,
        icon: 'lock',
        startsGroup: status === 'active',
        run: () => change([user], { status: 'suspended' }),
      },
    mayDelete && { label: texts.delete, icon: 'trash', isBad: true, run: () => remove(user) },
  ];
  return items.filter((item) => item !== false);
};
