import '../../../../browser/record-page.ts';
import { useMemo } from 'preact/hooks';
import type { Permission } from '../../../../../../shared/permissions/permissions.ts';
import { Button } from '../../../../browser/components/button.tsx';
import { confirm } from '../../../../browser/components/dialog.tsx';
import { Drawer } from '../../../../browser/components/drawer.tsx';
import { SelectField, TextField } from '../../../../browser/components/field.tsx';
import { Notice } from '../../../../browser/components/notice.tsx';
import { Segments } from '../../../../browser/components/tabs.tsx';
import { createForm } from '../../../../browser/data/form.ts';
import { expandPermissions, PermissionGrid } from '../../../../browser/people/permission-grid.tsx';
import { api } from '../../../../browser/shell/api.ts';
import { signedIn } from '../../../../browser/shell/session.ts';
import { accountTexts as texts } from '../../account-texts.ts';
import { created, tokens, url, user } from './state.ts';

const expirations = ['30', '90', '365', 'custom', 'never'] as const;

interface Values {
  readonly name: string;
  readonly expiration: (typeof expirations)[number];
  /** For `custom`. */
  readonly expiresInDays: string;
  readonly access: 'all' | 'some';
  readonly permissions: readonly Permission[];
}

const initial: Values = {
  name: '',
  expiration: '90',
  expiresInDays: '',
  access: 'all',
  permissions: [],
};

const isDays = (text: string): boolean => /^[1-9]\d{0,3}$/.test(text) && Number(text) <= 3_650;

const toBody = ({ name, expiration, expiresInDays, access, permissions }: Values) => {
  const days = expiration === 'custom' ? expiresInDays : expiration;
  return {
    name,
    ...(expiration !== 'never' && { expiresInDays: Number(days) }),
    ...(access === 'some' && { permissions: [...permissions] }),
  };
};

const createTokenForm = () =>
  createForm<Values>({
    initial,
    rules: {
      name: (value) => (value.trim() === '' ? texts.tokenNameMissing : undefined),
      expiresInDays: (value, { expiration }) =>
        expiration !== 'custom' || isDays(value) ? undefined : texts.daysWrong,
    },
    send: async (values) => {
      created.value = await api.call('POST /api/auth/tokens', { body: toBody(values) });
      url.close({ isCreating: false });
      await tokens.load();
    },
  });

/** The form of a new API token. */
export const NewToken = () => {
  const form = useMemo(createTokenForm, []);
  const { expiration, access, permissions } = form.values.value;
  const isMissing = access === 'some' && permissions.length === 0;
  const close = async () => {
    const question = {
      title: texts.discard,
      text: texts.discardText,
      action: texts.discardAction,
    };
    if (form.isChanged.value && !(await confirm(question))) return;
    url.close({ isCreating: false });
  };
  return (
    <Drawer
      title={texts.createToken}
      onClose={close}
      footer={
        <>
          <Button
            type="submit"
            form="token"
            kind="primary"
            isBusy={form.isBusy.value}
            whyDisabled={isMissing ? texts.chooseOne : undefined}
          >
            {texts.createToken}
          </Button>
          <Button kind="ghost" onClick={close}>
            {texts.cancel}
          </Button>
        </>
      }
    >
      <form id="token" method="post" noValidate onSubmit={form.submit}>
        <TextField
          form={form}
          name="name"
          label={texts.tokenName}
          hint={texts.tokenNameHint}
          autocomplete="off"
          maxLength={100}
        />
        <SelectField
          form={form}
          name="expiration"
          label={texts.expiration}
          hint={expiration === 'never' ? texts.neverHint : undefined}
          options={expirations.map((value) => ({ value, label: texts.expirations[value] }))}
        />
        {expiration === 'custom' && (
          <TextField
            form={form}
            name="expiresInDays"
            label={texts.days}
            type="number"
            min={1}
            max={3_650}
            autocomplete="off"
          />
        )}
        <fieldset class="field">
          <legend>{texts.permissions}</legend>
          <p class="mt0">
            <Segments
              label={texts.permissions}
              options={(['all', 'some'] as const).map((value) => ({
                value,
                label: texts.access[value],
              }))}
              value={access}
              onChange={(next) => form.set('access', next)}
            />
          </p>
          {access === 'all' ? (
            <p class="hint">{texts.accessAllHint}</p>
          ) : (
            <div class="mt0">
              <PermissionGrid
                granted={new Set(permissions)}
                fixed={new Set()}
                grantable={expandPermissions(
                  user.data.value?.permissions ?? signedIn?.permissions ?? [],
                )}
                onChange={(next) => form.set('permissions', [...next])}
              />
              {isMissing && <p class="hint">{texts.chooseOne}.</p>}
            </div>
          )}
          <p class="err" aria-live="polite">
            {form.errors.value.permissions}
          </p>
        </fieldset>
        {form.failure.value !== undefined && (
          <div class="mt0">
            <Notice kind="bad">{form.failure.value}</Notice>
          </div>
        )}
      </form>
    </Drawer>
  );
};
