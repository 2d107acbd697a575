import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { Data } from '../../../../../browser/client/endpoints.ts';
import { Badge } from '../../../../../browser/components/badge.tsx';
import { Button } from '../../../../../browser/components/button.tsx';
import { SelectField, TextField } from '../../../../../browser/components/field.tsx';
import { Loaded } from '../../../../../browser/components/loaded.tsx';
import { Notice } from '../../../../../browser/components/notice.tsx';
import { createForm } from '../../../../../browser/data/form.ts';
import { formatNumber, formatTime } from '../../../../../browser/data/format.ts';
import { createSource } from '../../../../../browser/data/source.ts';
import { EditForm } from '../../../../../browser/record/edit-form.tsx';
import { lacksKey, toKeptLink } from '../../../../../browser/sealed/kept-link.ts';
import { api } from '../../../../../browser/shell/api.ts';
import { linkTexts as texts } from '../../../link-texts.ts';
import type { Share } from '../state.ts';

type Link = Data<'GET /api/share/{id}/links'>['items'][number];

/** A share has no more. */
const maxLinks = 20;
const expirations = ['never', '86400', '604800', '2592000'] as const;
const initial = {
  label: '',
  viewLimit: '',
  expiresIn: 'never' as (typeof expirations)[number],
};

const toBody = ({ label, viewLimit, expiresIn }: typeof initial) => ({
  label: label.trim(),
  ...(viewLimit !== '' && { viewLimit: Number(viewLimit) }),
  ...(expiresIn !== 'never' && { expiresIn: Number(expiresIn) }),
});

type Viewed = Pick<Link, 'views' | 'viewLimit' | 'firstViewedAt' | 'lastViewedAt'>;

const describeViews = ({ views, viewLimit, firstViewedAt, lastViewedAt }: Viewed): string => {
  if (firstViewedAt === null || lastViewedAt === null) {
    return viewLimit === null ? texts.notOpened : texts.notOpenedOf(formatNumber(viewLimit));
  }
  const count =
    viewLimit === null
      ? texts.opened(views)
      : texts.openedOf(formatNumber(views), formatNumber(viewLimit));
  return views === 1
    ? texts.once(count, formatTime(firstViewedAt))
    : texts.between(count, formatTime(firstViewedAt), formatTime(lastViewedAt));
};

interface LinkRowProps {
  readonly link: Link;
  readonly isEnded: boolean;
  readonly isBusy: boolean;
  readonly copy: () => unknown;
  readonly revoke: () => unknown;
}

const LinkRow = ({ link, isEnded, isBusy, copy, revoke }: LinkRowProps) => {
  const { label, expiresAt, endedBy } = link;
  return (
    <li>
      <div class="grow">
        <p class="row wrap">
          <b dir="auto">{label}</b>
          {endedBy !== null && <Badge>{texts.ends[endedBy]}</Badge>}
        </p>
        <p class="small mute">{describeViews(link)}</p>
        {expiresAt !== null && endedBy === null && (
          <p class="small mute">{texts.expires(formatTime(expiresAt))}</p>
        )}
      </div>
      {endedBy === null && !isEnded && (
        <>
          <Button size="sm" icon="copy" label={texts.copyOf(label)} onClick={copy} />
          <Button
            size="sm"
            kind="ghost"
            icon="x"
            label={texts.revokeOf(label)}
            isBusy={isBusy}
            onClick={revoke}
          />
        </>
      )}
    </li>
  );
};

/** Lists, creates and revokes the recipient links of a share. */
export const Links = ({ share }: { readonly share: Share }) => {
  const params = { id: share.id };
  const isEnded = share.status === 'ended' || share.status === 'taken-down';
  const links = useMemo(
    () => createSource(async () => (await api.call('GET /api/share/{id}/links', { params })).items),
    [],
  );
  const status = useSignal('');
  const failure = useSignal<string | undefined>(undefined);
  const busyWith = useSignal<string | undefined>(undefined);
  useEffect(() => void links.load(), []);

  const copy = async ({ url, label }: Pick<Link, 'url' | 'label'>, done: string) => {
    failure.value = undefined;
    try {
      await navigator.clipboard.writeText(toKeptLink(share, url));
      status.value = lacksKey(share) ? texts.copiedWithoutKey(label) : done;
    } catch {
      failure.value = texts.copyFailed(label);
    }
  };
  const form = useMemo(
    () =>
      createForm({
        initial,
        rules: {
          label: (value) => (value.trim() === '' ? texts.labelMissing : undefined),
          viewLimit: (value) =>
            value === '' || /^[1-9]\d{0,5}$/.test(value) ? undefined : texts.limitWrong,
        },
        send: async (values) => {
          const path = 'POST /api/share/{id}/links';
          const link = await api.call(path, { params, body: toBody(values) });
          links.data.value = [...(links.data.value ?? []), link];
          form.reset(initial);
          await copy(link, texts.createdAndCopied(link.label));
        },
      }),
    [],
  );
  const revoke = async ({ id, label }: Link) => {
    busyWith.value = id;
    failure.value = undefined;
    try {
      const path = 'DELETE /api/share/{id}/links/{linkId}';
      const revoked = await api.call(path, { params: { ...params, linkId: id } });
      links.data.value = links.data.value?.map((one) => (one.id === id ? revoked : one));
      status.value = texts.revoked(label);
    } catch (error) {
      failure.value = (error as Error).message;
    }
    busyWith.value = undefined;
  };

  return (
    <>
      <p class="sub small mt0">
        {texts.about} {share.sealed && texts.sealedAbout}
      </p>
      <Loaded source={links} lines={2}>
        {(known) => (
          <>
            {known.length > 0 && (
              <ul class="links" aria-label={texts.list}>
                {known.map((link) => (
                  <LinkRow
                    key={link.id}
                    link={link}
                    isEnded={isEnded}
                    isBusy={busyWith.value === link.id}
                    copy={() => copy(link, texts.copied(link.label))}
                    revoke={() => revoke(link)}
                  />
                ))}
              </ul>
            )}
            {known.length === 0 && isEnded && <p class="small mute">{texts.none}</p>}
            {known.length >= maxLinks && <p class="hint">{texts.full(formatNumber(maxLinks))}</p>}
            {known.length < maxLinks && !isEnded && (
              <EditForm class="mt" form={form} of={texts.theNewLink}>
                <TextField
                  form={form}
                  name="label"
                  label={texts.label}
                  hint={texts.labelHint}
                  maxLength={40}
                  autocomplete="off"
                />
                <div class="two">
                  <TextField
                    form={form}
                    name="viewLimit"
                    label={texts.viewLimit}
                    type="number"
                    min={1}
                    autocomplete="off"
                  />
                  <SelectField
                    form={form}
                    name="expiresIn"
                    label={texts.expiration}
                    options={expirations.map((value) => ({
                      value,
                      label: texts.expirations[value],
                    }))}
                  />
                </div>
                <Button type="submit" icon="plus" isBusy={form.isBusy.value}>
                  {texts.create}
                </Button>
              </EditForm>
            )}
          </>
        )}
      </Loaded>
      {(failure.value ?? form.failure.value) !== undefined && (
        <Notice kind="bad">{failure.value ?? form.failure.value}</Notice>
      )}
      <p class="small mute" role="status">
        {status.value}
      </p>
    </>
  );
};
