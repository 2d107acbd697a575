import { Button } from '../../../../../browser/components/button.tsx';
import { confirm } from '../../../../../browser/components/dialog.tsx';
import { Loaded } from '../../../../../browser/components/loaded.tsx';
import { formatDay } from '../../../../../browser/data/format.ts';
import { api } from '../../../../../browser/shell/api.ts';
import { leave } from '../../../../../browser/shell/unsaved.ts';
import { securityTexts as texts } from '../../../security-texts.ts';
import { getLogoClass } from '../providers.ts';
import { SetCard, SetRow } from '../set-card.tsx';
import { type Connections, connections, factors } from '../state.ts';
import { formatRecentDay } from '../times.ts';
import { useAction } from './action.ts';

type Connection = Connections['identities'][number];

const titleId = 'connected-accounts';

/** Opens the page that signs in at the provider, which leads back here. */
const connect = async ({ provider }: Connection): Promise<undefined> => {
  const { location: address } = await api.call('POST /api/auth/identities/{provider}', {
    params: { provider },
  });
  leave(() => location.assign(address));
};

const disconnect = async ({ provider, label }: Connection): Promise<string | undefined> => {
  const isAgreed = await confirm({
    title: texts.confirmDisconnect(label),
    text: texts.confirmDisconnectText(label),
    action: texts.disconnect,
  });
  if (!isAgreed) return undefined;
  connections.data.value = await api.call('DELETE /api/auth/identities/{provider}', {
    params: { provider },
  });
  return texts.disconnected(label);
};

const describe = ({ connected, email, connectedAt, lastUsedAt }: Connection): string => {
  if (!connected) return texts.notConnected;
  return [
    ...(email === null ? [] : [email]),
    ...(connectedAt === null ? [] : [texts.added(formatDay(connectedAt))]),
    lastUsedAt === null ? texts.neverUsed : texts.used(formatRecentDay(lastUsedAt)),
  ].join(' · ');
};

const Row = ({
  connection,
  canDisconnect,
}: {
  readonly connection: Connection;
  readonly canDisconnect: boolean;
}) => {
  const { isBusy, run } = useAction();
  const { provider, label, connected } = connection;
  // One may have been added since the accounts were read.
  const hasPasskey = (factors.data.value?.passkeys.length ?? 0) > 0;
  const logo = getLogoClass(provider);
  return (
    <SetRow
      icon="building"
      logo={logo && <span class={`logo ${logo}`} aria-hidden="true" />}
      title={<b dir="auto">{label}</b>}
      about={describe(connection)}
    >
      {connected ? (
        <Button
          size="sm"
          kind="ghost"
          isBusy={isBusy.value}
          whyDisabled={canDisconnect || hasPasskey ? undefined : texts.lastWayIn}
          aria-label={texts.disconnectFrom(label)}
          onClick={() => run(() => disconnect(connection))}
        >
          {texts.disconnect}
        </Button>
      ) : (
        <Button
          size="sm"
          isBusy={isBusy.value}
          aria-label={texts.connectTo(label)}
          onClick={() => run(() => connect(connection))}
        >
          {texts.connect}
        </Button>
      )}
    </SetRow>
  );
};

/** The accounts at providers that sign in to the user's own. */
export const ConnectedAccounts = () => (
  <SetCard id={titleId} title={texts.connectedAccounts} about={texts.connectedAbout}>
    <Loaded source={connections} lines={2}>
      {({ identities, canDisconnect }) => (
        <ul>
          {identities.map((connection) => (
            <li key={connection.provider} class="setrow">
              <Row connection={connection} canDisconnect={canDisconnect} />
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  </SetCard>
);
