import { useSignal } from '@preact/signals';
import { Avatar } from '../../../../../browser/components/avatar.tsx';
import { Badge } from '../../../../../browser/components/badge.tsx';
import { Button } from '../../../../../browser/components/button.tsx';
import { Menu } from '../../../../../browser/components/menu.tsx';
import { formatTime } from '../../../../../browser/data/format.ts';
import { formatAge } from '../../../../../browser/shell/relative-time.ts';
import { signedIn } from '../../../../../browser/shell/session.ts';
import { drawerTexts } from '../../../drawer-texts.ts';
import type { Share } from '../state.ts';
import { copyLink, fixAddress, type Recipient, removeRecipient, sendAgain } from './recipients.ts';

const texts = drawerTexts.outside;

/** What has become of a link; `undefined` if it was neither sent nor opened. */
export type RecipientState = keyof typeof texts.states;

const badges = {
  sent: { icon: 'send' },
  opened: { kind: 'info', icon: 'eye' },
  verified: { kind: 'ok', icon: 'shield' },
  bounced: { kind: 'bad', icon: 'alert' },
} as const satisfies Record<RecipientState, object>;

/** Returns what has become of a link, the most telling of it. */
export const toState = (recipient: Recipient): RecipientState | undefined => {
  if (recipient.bouncedAt !== null) return 'bounced';
  if (recipient.verifiedAt !== null) return 'verified';
  if (recipient.times > 0) return 'opened';
  return recipient.sentAt === null ? undefined : 'sent';
};

/** Says what has become of a link, with times as this writes them. */
const describe = (recipient: Recipient, write: (time: string) => string): string => {
  const { verify, endedBy, sentAt, verifiedAt, lastOpenedAt } = recipient;
  const state = toState(recipient);
  const ending = endedBy === null ? [] : [texts.ended[endedBy]];
  if (state === 'verified') return [texts.codeAt(write(verifiedAt ?? '')), ...ending].join(' · ');
  const what =
    state === 'opened'
      ? texts.openedAt(write(lastOpenedAt ?? ''))
      : sentAt === null
        ? texts.notSent
        : texts.sentAt(write(sentAt));
  return [what, ...(verify ? [texts.asks] : []), ...ending].join(' · ');
};

interface RecipientProps {
  readonly share: Share;
  readonly recipient: Recipient;
  readonly reload: () => Promise<unknown>;
}

interface FixProps extends RecipientProps {
  readonly close: () => void;
}

/** The field for another address. */
const Fix = ({ share, recipient, reload, close }: FixProps) => {
  const isBusy = useSignal(false);
  const failure = useSignal('');
  const email = useSignal(recipient.email);
  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    isBusy.value = true;
    try {
      await fixAddress(share.id, recipient, email.value.trim());
      await reload();
      close();
    } catch (error) {
      failure.value = (error as Error).message;
    }
    isBusy.value = false;
  };
  return (
    <form class="fix" onSubmit={save}>
      <input
        class="in"
        type="email"
        required
        maxLength={254}
        aria-label={texts.fixFor(recipient.email)}
        aria-invalid={failure.value !== ''}
        value={email.value}
        onInput={({ currentTarget }) => {
          email.value = currentTarget.value;
        }}
        ref={(input) => input?.focus()}
      />
      <Button type="submit" size="sm" isBusy={isBusy.value}>
        {texts.save}
      </Button>
      <Button size="sm" kind="ghost" onClick={close}>
        {texts.cancel}
      </Button>
      {failure.value !== '' && (
        <p class="err" role="alert">
          {failure.value}
        </p>
      )}
    </form>
  );
};

/** Someone outside, with what has become of their link. */
export const RecipientRow = (props: RecipientProps) => {
  const { share, recipient, reload } = props;
  const { email, endedBy, bounceReason } = recipient;
  const isFixing = useSignal(false);
  const state = toState(recipient);
  const isOpen = endedBy === null;
  const again = async () => {
    await sendAgain(share.id, recipient);
    await reload();
  };
  return (
    <li>
      <Avatar name={email} />
      <span class="cut">
        <b class="cut" dir="auto" title={email}>
          {email}
        </b>
        {state === 'bounced' ? (
          <small>
            {bounceReason}.{' '}
            {isOpen && !isFixing.value && (
              <button
                type="button"
                class="as-link"
                onClick={() => {
                  isFixing.value = true;
                }}
              >
                {texts.fix}
              </button>
            )}
          </small>
        ) : (
          <small class="cut" title={describe(recipient, formatTime)}>
            {describe(recipient, formatAge)}
          </small>
        )}
      </span>
      {state && <Badge {...badges[state]}>{texts.states[state]}</Badge>}
      <Menu
        label={drawerTexts.actionsFor(email)}
        items={[
          ...(isOpen
            ? [{ label: texts.copy, icon: 'link' as const, run: () => copyLink(share, recipient) }]
            : []),
          ...(isOpen && signedIn?.sendsMail && !share.sealed
            ? [{ label: texts.sendAgain, icon: 'send' as const, run: again }]
            : []),
          {
            label: drawerTexts.remove,
            icon: 'x',
            isBad: true,
            run: () => removeRecipient(share.id, recipient),
          },
        ]}
      />
      {isFixing.value && (
        <Fix
          {...props}
          close={() => {
            isFixing.value = false;
          }}
        />
      )}
    </li>
  );
};
