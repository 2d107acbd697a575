import { useMemo } from 'preact/hooks';
import { describeSpan } from '../../../../../../shared/text/time-span.ts';
import { Button } from '../../../../browser/components/button.tsx';
import { Dialog, openDialog } from '../../../../browser/components/dialog.tsx';
import { SelectField, TextField } from '../../../../browser/components/field.tsx';
import { componentTexts } from '../../../../browser/components/texts.ts';
import { toast } from '../../../../browser/components/toast.tsx';
import { createForm } from '../../../../browser/data/form.ts';
import { formatNumber } from '../../../../browser/data/format.ts';
import { getShareName } from '../../../../browser/data/share-name.ts';
import { EditForm } from '../../../../browser/record/edit-form.tsx';
import { signedIn } from '../../../../browser/shell/session.ts';
import { sharesTexts as texts } from '../../texts.ts';
import { extendExpiration } from './expiration.ts';
import type { Share } from './state.ts';

const choices = ['86400', '604800', '2592000', 'never', 'date'] as const;

/** How long a share lives at most, in seconds; `null` if its owner decides. */
const maxSeconds = signedIn?.maxShareSeconds ?? null;

/** Returns whether some of the shares may end so late: their age counts from their creation. */
const isPossible = (choice: (typeof choices)[number], shares: readonly Share[]): boolean => {
  if (maxSeconds === null || choice === 'date') return true;
  const end = Date.now() + Number(choice) * 1_000;
  return shares.some(({ createdAt }) => end <= Date.parse(createdAt) + maxSeconds * 1_000);
};

const isFuture = (text: string): boolean => Date.parse(text) > Date.now();

interface Values {
  readonly expires: (typeof choices)[number];
  readonly date: string;
}

/** Returns the time of a choice, so that a repeated request sets the same one. */
const toTime = ({ expires, date }: Values): string | null => {
  if (expires === 'never') return null;
  const time = expires === 'date' ? Date.parse(date) : Date.now() + Number(expires) * 1_000;
  return new Date(time).toISOString();
};

interface ExtendProps {
  /** Those that haven't ended. */
  readonly open: readonly Share[];
  readonly endedCount: number;
  readonly close: () => void;
}

const ExtendDialog = ({ open, endedCount, close }: ExtendProps) => {
  const [first] = open;
  const possible = choices.filter((choice) => isPossible(choice, open));
  const initial = {
    expires: possible.find((one) => one === '604800') ?? possible[0] ?? 'date',
    date: '',
  };
  const form = useMemo(
    () =>
      createForm({
        initial: initial as Values,
        rules: {
          date: (value, { expires }) =>
            expires !== 'date' || isFuture(value) ? undefined : texts.dateWrong,
        },
        send: async (values) => {
          await extendExpiration(open, toTime(values));
          close();
        },
      }),
    [],
  );
  const title =
    open.length === 1 && first
      ? texts.extendOne(getShareName(first))
      : texts.extendSome(formatNumber(open.length));
  return (
    <Dialog title={title} onClose={close}>
      {maxSeconds !== null && <p class="sub mt0">{texts.longest(describeSpan(maxSeconds))}</p>}
      {endedCount > 0 && <p class="sub mt0">{texts.endedStay(endedCount)}</p>}
      <EditForm class="mt" form={form} of={title}>
        <SelectField
          form={form}
          name="expires"
          label={texts.newExpiration}
          options={possible.map((value) => ({ value, label: texts.expirations[value] }))}
        />
        {form.values.value.expires === 'date' && (
          <TextField
            form={form}
            name="date"
            label={texts.expiresOn}
            type="datetime-local"
            autocomplete="off"
          />
        )}
        <div class="acts">
          <Button onClick={close}>{componentTexts.cancel}</Button>
          <Button kind="primary" type="submit" isBusy={form.isBusy.value}>
            {texts.extendNow}
          </Button>
        </div>
      </EditForm>
    </Dialog>
  );
};

/** Asks when shares expire, and sets it for those that haven't ended. */
export const askExpiration = (shares: readonly Share[]): void => {
  const open = shares.filter(({ status }) => status === 'active');
  const endedCount = shares.length - open.length;
  if (open.length === 0) toast({ text: texts.onlyActive, kind: 'bad' });
  else openDialog((close) => <ExtendDialog open={open} endedCount={endedCount} close={close} />);
};
