import { useMemo } from 'preact/hooks';
import { ConflictError } from '../../../../browser/client/api-error.ts';
import type { Options } from '../../../../browser/client/endpoints.ts';
import { SelectField, TextField } from '../../../../browser/components/field.tsx';
import { Loaded } from '../../../../browser/components/loaded.tsx';
import { Notice } from '../../../../browser/components/notice.tsx';
import { toast } from '../../../../browser/components/toast.tsx';
import { createForm } from '../../../../browser/data/form.ts';
import { formatDay } from '../../../../browser/data/format.ts';
import { api } from '../../../../browser/shell/api.ts';
import { fieldTexts as fields } from '../../../../layout/texts.ts';
import { accountTexts as texts } from '../../account-texts.ts';
import { FormSection } from './form-section.tsx';
import { showUserName } from './sidebar.ts';
import { type User, user } from './state.ts';

type Change = NonNullable<Options<'PUT /api/users/me'>['body']>;

/** Changes the user as it was read last. */
const save = async (body: Change): Promise<User> => {
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

const toProfile = ({ name, username, phone, timezone }: User) => ({
  name,
  username,
  phone: phone ?? '',
  timezone: timezone ?? '',
});

const listZones = (own: string): readonly { readonly value: string; readonly label: string }[] => {
  const zones = new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), ...(own ? [own] : [])]);
  return [
    { value: '', label: texts.noTimezone },
    ...[...zones].map((value) => ({ value, label: value.replaceAll('_', ' ') })),
  ];
};

const ProfileForm = ({ initial }: { readonly initial: User }) => {
  const form = useMemo(() => {
    const created = createForm({
      initial: toProfile(initial),
      rules: {
        name: (value) => (value.trim() === '' ? texts.missing(fields.name) : undefined),
        username: (value) => (value.trim() === '' ? texts.missing(fields.username) : undefined),
      },
      send: async ({ phone, timezone, ...rest }) => {
        const saved = await save({
          ...rest,
          phone: phone.trim() || null,
          timezone: timezone || null,
        });
        created.reset(toProfile(saved));
        showUserName(saved.name);
        toast({ text: texts.profileSaved });
      },
    });
    return created;
  }, []);
  const zones = useMemo(() => listZones(initial.timezone ?? ''), []);
  return (
    <FormSection title={texts.tabs.profile} form={form} submit={texts.saveProfile} isPrimary>
      <div class="two">
        <TextField form={form} name="name" label={fields.name} autocomplete="name" />
        <TextField
          form={form}
          name="username"
          label={fields.username}
          autocomplete="nickname"
          isCode
        />
      </div>
      <div class="two mt">
        <TextField
          form={form}
          name="phone"
          label={texts.optional(fields.phone)}
          type="tel"
          autocomplete="tel"
        />
        <SelectField
          form={form}
          name="timezone"
          label={texts.optional(fields.timezone)}
          options={zones}
        />
      </div>
      <div class="mt">
        <a href="/notifications?open=settings">{texts.notificationSettings}</a>
      </div>
    </FormSection>
  );
};

const EmailForm = ({ initial }: { readonly initial: User }) => {
  const isMailOn = document.getElementById('account')?.dataset['mail'] === 'on';
  const form = useMemo(() => {
    const created = createForm({
      initial: { email: initial.email, currentPassword: '' },
      rules: {
        email: (value) => {
          if (!/.@./.test(value)) return texts.noEmail;
          return value.trim() === user.data.value?.email ? texts.sameEmail : undefined;
        },
        currentPassword: (value) =>
          value === '' ? texts.missing(fields.currentPassword) : undefined,
      },
      send: async (values) => {
        const { email } = await save(values);
        created.reset({ email, currentPassword: '' });
        toast({ text: texts.emailChanged(email) });
      },
    });
    return created;
  }, []);
  const { email, emailProblem } = user.data.value ?? initial;
  return (
    <FormSection
      title={texts.email}
      about={isMailOn && !emailProblem ? texts.emailAbout : undefined}
      form={form}
      submit={texts.changeEmail}
    >
      {emailProblem && (
        <Notice kind="warn">
          {texts.emailProblems[emailProblem.reason](email, formatDay(emailProblem.since))}
        </Notice>
      )}
      <div class={emailProblem ? 'two mt' : 'two'}>
        <TextField
          form={form}
          name="email"
          label={fields.email}
          type="email"
          autocomplete="email"
        />
        <TextField
          form={form}
          name="currentPassword"
          label={fields.currentPassword}
          type="password"
          autocomplete="current-password"
          hint={texts.emailHint}
        />
      </div>
    </FormSection>
  );
};

/** Name, time zone, notifications and email of the user. */
export const Profile = () => (
  <Loaded source={user} lines={6}>
    {(initial) => (
      <>
        <ProfileForm initial={initial} />
        <EmailForm initial={initial} />
      </>
    )}
  </Loaded>
);
