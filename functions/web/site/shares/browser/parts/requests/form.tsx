import { useMemo } from 'preact/hooks';
import {
  maxNoteLength,
  maxRequestSeconds,
  maxSubmissions,
  maxTitleLength,
} from '../../../../../../../shared/input/share-limits.ts';
import { Button } from '../../../../../browser/components/button.tsx';
import { Dialog, openDialog } from '../../../../../browser/components/dialog.tsx';
import { SelectField, TextArea, TextField } from '../../../../../browser/components/field.tsx';
import { Notice } from '../../../../../browser/components/notice.tsx';
import { componentTexts } from '../../../../../browser/components/texts.ts';
import { toast } from '../../../../../browser/components/toast.tsx';
import { createForm } from '../../../../../browser/data/form.ts';
import { formatNumber, formatTime } from '../../../../../browser/data/format.ts';
import { EditForm } from '../../../../../browser/record/edit-form.tsx';
import { api } from '../../../../../browser/shell/api.ts';
import { leave } from '../../../../../browser/shell/unsaved.ts';
import { requestTexts as texts } from '../../../request-texts.ts';
import { add, open, type ShareRequest, update } from './state.ts';

const endings = ['86400', '604800', '2592000', 'date'] as const;

interface Values {
  readonly title: string;
  readonly note: string;
  readonly submissions: string;
  readonly ends: 'keep' | (typeof endings)[number];
  readonly expiresAt: string;
  readonly passwordMode: 'none' | 'keep' | 'own';
  readonly password: string;
}

const toValues = (request: ShareRequest | undefined): Values => ({
  title: request?.title ?? '',
  note: request?.note ?? '',
  submissions: String(request?.submissions ?? 1),
  ends: request === undefined ? '604800' : 'keep',
  expiresAt: '',
  passwordMode: request?.protected ? 'keep' : 'none',
  password: '',
});

const isWithinLimit = (text: string): boolean => {
  const ms = Date.parse(text) - Date.now();
  return ms > 0 && ms <= maxRequestSeconds * 1_000;
};

/** Returns the chosen end, nothing if it stays. */
const toEnd = ({ ends, expiresAt }: Values) => {
  if (ends === 'keep') return {};
  return ends === 'date'
    ? { expiresAt: new Date(expiresAt).toISOString() }
    : { expiresIn: Number(ends) };
};

const toPassword = ({ passwordMode, password }: Values) =>
  passwordMode === 'own' ? { password } : {};

/** Creates a request and copies its link. */
const create = async (values: Values): Promise<ShareRequest> => {
  const note = values.note.trim();
  const request = await api.call('POST /api/share/requests', {
    body: {
      title: values.title.trim(),
      ...(note !== '' && { note }),
      submissions: Number(values.submissions),
      ...toEnd(values),
      ...toPassword(values),
    },
  });
  add(request);
  const text = await navigator.clipboard.writeText(request.url).then(
    () => texts.createdAndCopied,
    () => texts.createdNotCopied,
  );
  toast({ text });
  return request;
};

/** Saves what was changed about a request. */
const save = async (request: ShareRequest, values: Values): Promise<void> => {
  const { id, version } = request;
  const note = values.note.trim();
  const changed = await api.call('PUT /api/share/requests/{id}', {
    params: { id },
    body: {
      title: values.title.trim(),
      note: note === '' ? null : note,
      submissions: Number(values.submissions),
      ...toEnd(values),
      ...(request.protected && values.passwordMode === 'none'
        ? { password: null }
        : toPassword(values)),
    },
    ifMatch: version,
  });
  update(changed);
  toast({ text: texts.saved(changed.title) });
};

interface FormProps {
  /** Absent: a new one. */
  readonly request: ShareRequest | undefined;
  readonly close: () => void;
}

const RequestForm = ({ request, close }: FormProps) => {
  const least = Math.max(1, request?.taken ?? 1);
  const form = useMemo(
    () =>
      createForm<Values>({
        initial: toValues(request),
        rules: {
          title: (value) => (value.trim() === '' ? texts.titleMissing : undefined),
          submissions: (value) =>
            /^\d{1,3}$/.test(value) && Number(value) >= least && Number(value) <= maxSubmissions
              ? undefined
              : texts.submissionsWrong(formatNumber(least), formatNumber(maxSubmissions)),
          expiresAt: (value, { ends }) =>
            ends !== 'date' || isWithinLimit(value) ? undefined : texts.dateWrong,
          password: (value, { passwordMode }) =>
            passwordMode !== 'own' || /^[A-Za-z0-9]{6}$/.test(value)
              ? undefined
              : texts.passwordWrong,
        },
        send: async (values) => {
          if (request) await save(request, values);
          const created = request ? undefined : await create(values);
          close();
          if (created) open(created);
        },
      }),
    [],
  );
  const { ends, passwordMode } = form.values.value;
  const title = request ? texts.editTitle(request.title) : texts.askTitle;
  const { fields } = texts;
  const dismiss = () => leave(close);
  return (
    <Dialog title={title} onClose={dismiss}>
      <EditForm class="mt" form={form} of={request?.title ?? texts.theNewOne}>
        <TextField
          form={form}
          name="title"
          label={fields.title}
          hint={texts.titleHint}
          maxLength={maxTitleLength}
          autocomplete="off"
        />
        <TextArea
          form={form}
          name="note"
          label={fields.note}
          hint={texts.noteHint}
          rows={3}
          maxLength={maxNoteLength}
        />
        <TextField
          form={form}
          name="submissions"
          label={fields.submissions}
          type="number"
          min={least}
          max={maxSubmissions}
          autocomplete="off"
        />
        <SelectField
          form={form}
          name="ends"
          label={fields.ends}
          options={[
            ...(request
              ? [{ value: 'keep', label: texts.ends.keep(formatTime(request.expiresAt)) }]
              : []),
            ...endings.map((value) => ({ value, label: texts.ends[value] })),
          ]}
        />
        {ends === 'date' && (
          <TextField
            form={form}
            name="expiresAt"
            label={fields.expiresAt}
            type="datetime-local"
            autocomplete="off"
          />
        )}
        <SelectField
          form={form}
          name="passwordMode"
          label={fields.passwordMode}
          options={(['none', ...(request?.protected ? ['keep' as const] : []), 'own'] as const).map(
            (value) => ({ value, label: texts.passwordModes[value] }),
          )}
        />
        {passwordMode === 'own' && (
          <TextField
            form={form}
            name="password"
            label={fields.password}
            hint={texts.passwordHint}
            maxLength={6}
            autocomplete="off"
            isCode
          />
        )}
        {form.failure.value !== undefined && <Notice kind="bad">{form.failure.value}</Notice>}
        <div class="acts">
          <Button onClick={dismiss}>{componentTexts.cancel}</Button>
          <Button kind="primary" type="submit" isBusy={form.isBusy.value}>
            {request ? texts.save : texts.create}
          </Button>
        </div>
      </EditForm>
    </Dialog>
  );
};

/** Asks what to ask for, or what to change about a request. */
export const openForm = (request: ShareRequest | undefined): void =>
  openDialog((close) => <RequestForm request={request} close={close} />);
