import { useMemo } from 'preact/hooks';
import { ApiError } from '../../../../../browser/client/api-error.ts';
import type { Data } from '../../../../../browser/client/endpoints.ts';
import { Button } from '../../../../../browser/components/button.tsx';
import { Dialog, openDialog } from '../../../../../browser/components/dialog.tsx';
import { TextField } from '../../../../../browser/components/field.tsx';
import { Notice } from '../../../../../browser/components/notice.tsx';
import { createForm } from '../../../../../browser/data/form.ts';
import { formatDayOfYear, formatList, formatNumber } from '../../../../../browser/data/format.ts';
import { EditForm } from '../../../../../browser/record/edit-form.tsx';
import { api } from '../../../../../browser/shell/api.ts';
import { signedIn } from '../../../../../browser/shell/session.ts';
import { fieldTexts as fields } from '../../../../../layout/texts.ts';
import { accountTexts } from '../../../account-texts.ts';
import { securityTexts as texts } from '../../../security-texts.ts';
import { cardId } from '../own-data/actions.ts';

const waitMs = 7 * 86_400_000;

const kinds = ['documents', 'files', 'events'] as const;

/** What goes with the account, as far as it could be counted. */
interface Goes {
  readonly owned?: Data<'GET /api/users/me/belongings'> | undefined;
  readonly shares?: Data<'GET /api/share/summary'> | undefined;
}

/** Returns what stops at once. Of more shares than are looked at, nobody knows how many are open. */
const describeStop = ({ shares }: Goes): string => {
  if (!shares || shares.counted < shares.total) return texts.stop.all;
  return shares.active === 0 ? '' : texts.stop.some(shares.active);
};

/** Returns what is deleted, and when. */
const describeEnd = ({ owned }: Goes): string => {
  const counts = kinds.flatMap((kind) => {
    const { total = 0, totalIsExact = true } = owned?.[kind] ?? {};
    if (total === 0) return [];
    return [texts.owned[kind](totalIsExact ? formatNumber(total) : `${formatNumber(total)}+`)];
  });
  const day = formatDayOfYear(new Date(Date.now() + waitMs).toISOString());
  return texts.goes(day, formatList([texts.account, ...counts, texts.messages]));
};

/** Who has no password has signed in or proven who they are lately; the service asks for that. */
const hasPassword = signedIn?.hasPassword ?? true;

/** Leads to what downloads the user’s own data, on the same page. */
const CopyFirst = ({ close }: { readonly close: () => void }) => {
  const leave = () => {
    close();
    // After the dialog has given the focus back.
    setTimeout(() => document.getElementById(cardId)?.focus());
  };
  return (
    <Button size="sm" icon="load" onClick={leave}>
      {texts.getCopy}
    </Button>
  );
};

interface DeleteAccountProps extends Goes {
  readonly email: string;
  readonly close: () => void;
}

const DeleteAccountDialog = ({ email, close, ...goes }: DeleteAccountProps) => {
  const form = useMemo(
    () =>
      createForm({
        initial: { currentPassword: '' },
        rules: {
          currentPassword: (value) =>
            value === '' && hasPassword ? accountTexts.missing(fields.currentPassword) : undefined,
        },
        send: async (values) => {
          try {
            await api.call('DELETE /api/users/me', { body: hasPassword ? values : {} });
          } catch (error) {
            const isLast = error instanceof ApiError && error.status === 409;
            throw isLast ? new Error(texts.lastAdministrator) : error;
          }
          location.replace('/login?why=left');
        },
      }),
    [],
  );
  return (
    <Dialog title={texts.deleteTitle} onClose={close}>
      <p class="sub mt0">
        {describeStop(goes)} {describeEnd(goes)}
      </p>
      <EditForm class="mt" form={form} of={accountTexts.yourAccount} autocomplete="on">
        {/* Tells password managers whose password it is. */}
        <input name="username" type="text" autocomplete="username" value={email} readOnly hidden />
        {hasPassword && (
          <TextField
            form={form}
            name="currentPassword"
            label={texts.yourPassword}
            type="password"
            autocomplete="current-password"
          />
        )}
        {/* After the field, which has the focus first. */}
        <div class="mt0">
          <Notice action={<CopyFirst close={close} />}>{texts.wantCopy}</Notice>
        </div>
        {form.failure.value !== undefined && (
          <div class="mt0">
            <Notice kind="bad">{form.failure.value}</Notice>
          </div>
        )}
        <div class="acts">
          <Button kind="ghost" onClick={close}>
            {texts.cancel}
          </Button>
          <Button type="submit" kind="danger" isBusy={form.isBusy.value}>
            {texts.deleteIn}
          </Button>
        </div>
      </EditForm>
    </Dialog>
  );
};

/** Asks whether the account is to be deleted, and lets it be. Says what goes with it; works without an answer to that, too. */
export const askToDeleteAccount = async (email: string): Promise<void> => {
  const [owned, shares] = await Promise.all([
    api.call('GET /api/users/me/belongings').catch(() => undefined),
    api.call('GET /api/share/summary').catch(() => undefined),
  ]);
  openDialog((close) => (
    <DeleteAccountDialog email={email} close={close} owned={owned} shares={shares} />
  ));
};
