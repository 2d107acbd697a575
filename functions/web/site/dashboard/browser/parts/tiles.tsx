import type { ComponentChildren } from 'preact';
import { formatBytes } from '../../../../../../shared/text/format-bytes.ts';
import { Icon } from '../../../../browser/components/icon.tsx';
import { may, signedIn } from '../../../../browser/shell/session.ts';
import type { IconName } from '../../../../layout/icons.ts';
import { dashboardTexts as texts } from '../../texts.ts';
import { numberText } from './formats.ts';
import { own } from './sources.ts';

interface TileProps {
  readonly icon: IconName;
  readonly label: string;
  /** `undefined` while it is on its way. */
  readonly value: string | undefined;
  readonly children?: ComponentChildren;
}

/** A figure with its label. It keeps its height while the value is on its way. */
export const Tile = ({ icon, label, value, children }: TileProps) => (
  <div class="card tile">
    <dt>
      <Icon name={icon} />
      {label}
    </dt>
    <dd>
      <b>{value ?? '–'}</b>
      {children}
    </dd>
  </div>
);

const ShareTiles = () => {
  const summary = own.sharesSummary.data.value;
  const about =
    summary &&
    (summary.expiringSoon > 0 ? texts.expiringSoon(summary.expiringSoon) : texts.noneExpiring);
  return (
    <>
      <Tile icon="share" label={texts.activeShares} value={summary && numberText(summary.active)}>
        <small>{about}</small>
      </Tile>
      <Tile icon="eye" label={texts.ownViews} value={summary && numberText(summary.views)}>
        <small>{summary && texts.ofShares(summary.counted, summary.total)}</small>
      </Tile>
    </>
  );
};

const StorageTile = () => {
  const usage = own.usage.data.value;
  return (
    <Tile icon="folder" label={texts.storage} value={usage && formatBytes(usage.used)}>
      <meter
        aria-label={texts.storageUsed}
        min={0}
        max={usage?.quota ?? 1}
        value={usage?.used ?? 0}
      />
      <small>{usage && texts.storageOf(formatBytes(usage.quota), usage.files)}</small>
    </Tile>
  );
};

const MessagesTile = () => {
  const unread = signedIn?.counts.messages ?? 0;
  return (
    <Tile icon="chat" label={texts.unreadMessages} value={numberText(unread)}>
      <small>{unread === 0 ? texts.allRead : texts.waiting}</small>
    </Tile>
  );
};

/** The user's own figures. */
export const OwnTiles = () => (
  <dl class="tiles">
    <ShareTiles />
    {may('files:view') && <StorageTile />}
    {may('messages:view') && <MessagesTile />}
  </dl>
);
