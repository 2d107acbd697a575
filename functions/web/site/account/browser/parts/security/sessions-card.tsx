import { useSignal } from '@preact/signals';
import { ApiError } from '../../../../../browser/client/api-error.ts';
import { Badge } from '../../../../../browser/components/badge.tsx';
import { Button } from '../../../../../browser/components/button.tsx';
import { confirm } from '../../../../../browser/components/dialog.tsx';
import { Loaded } from '../../../../../browser/components/loaded.tsx';
import { toast } from '../../../../../browser/components/toast.tsx';
import { runForEach } from '../../../../../browser/data/bulk.ts';
import { formatDevice } from '../../../../../browser/data/device.ts';
import { formatDay, formatList } from '../../../../../browser/data/format.ts';
import { api } from '../../../../../browser/shell/api.ts';
import { showFailure } from '../../../../../browser/shell/feedback.ts';
import { securityTexts as texts } from '../../../security-texts.ts';
import { SetCard, SetRow } from '../set-card.tsx';
import { type Session, sessions } from '../state.ts';
import { formatUsed } from '../times.ts';

const describe = ({ address, lastUsedAt, createdAt, current }: Session): string =>
  [
    address,
    current ? texts.now : formatUsed(lastUsedAt),
    texts.signedInOn(formatDay(createdAt)),
  ].join(' · ');

const isPhone = (device: string): boolean => /iPhone|iPad|Android/.test(device);

const endOne = async ({ id }: Session): Promise<void> => {
  try {
    await api.call('DELETE /api/auth/sessions/{id}', { params: { id } });
  } catch (error) {
    // It has already ended.
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
  }
};

/** Ends sessions, and says what failed by the names of the devices. */
const end = async (some: readonly Session[]): Promise<void> => {
  const { done, failed } = await runForEach(some, endOne);
  const ended = new Set(done.map(({ id }) => id));
  sessions.data.value = sessions.data.value?.filter(({ id }) => !ended.has(id));
  if (done.length > 0) toast({ text: texts.ended(done.length) });
  const [first] = failed;
  if (!first) return;
  const devices = formatList(failed.map(({ item }) => formatDevice(item.device)));
  const again = () => end(failed.map(({ item }) => item));
  showFailure(texts.notEnded(devices, first.error.message), again);
};

const Row = ({ session }: { readonly session: Session }) => {
  const isBusy = useSignal(false);
  const device = formatDevice(session.device);
  const about = describe(session);
  const signOut = async () => {
    isBusy.value = true;
    await end([session]);
    isBusy.value = false;
  };
  return (
    <li class="setrow">
      <SetRow
        icon={isPhone(device) ? 'phone' : 'laptop'}
        title={
          <>
            <b title={session.device ?? undefined}>{device}</b>
            {session.current && <Badge kind="info">{texts.thisSession}</Badge>}
          </>
        }
        about={about}
      >
        {!session.current && (
          <Button
            kind="ghost"
            size="sm"
            isBusy={isBusy.value}
            aria-label={texts.endOne(device, about)}
            onClick={signOut}
          >
            {texts.end}
          </Button>
        )}
      </SetRow>
    </li>
  );
};

const EndOthers = () => {
  const isBusy = useSignal(false);
  const others = sessions.data.value?.filter(({ current }) => !current) ?? [];
  if (others.length === 0) return null;
  const endAll = async () => {
    const isAgreed = await confirm({
      title: texts.confirmEndOthers(others.length),
      text: texts.confirmEndOthersText,
      action: texts.end,
    });
    if (!isAgreed) return;
    isBusy.value = true;
    await end(others);
    isBusy.value = false;
  };
  return (
    <Button size="sm" isBusy={isBusy.value} onClick={endAll}>
      {texts.endOthers}
    </Button>
  );
};

/** Where the user is signed in. This device comes first. */
export const Sessions = () => (
  <SetCard title={texts.sessions} about={texts.sessionsAbout} action={<EndOthers />}>
    <Loaded source={sessions} lines={3}>
      {(all) => (
        <ul>
          {all
            .toSorted((a, b) => Number(b.current) - Number(a.current))
            .map((session) => (
              <Row key={session.id} session={session} />
            ))}
        </ul>
      )}
    </Loaded>
  </SetCard>
);
