import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { chooseTint } from '../../../../../browser/components/avatar.tsx';
import { Badge } from '../../../../../browser/components/badge.tsx';
import { Button } from '../../../../../browser/components/button.tsx';
import { Loaded } from '../../../../../browser/components/loaded.tsx';
import { formatNumber } from '../../../../../browser/data/format.ts';
import { assistantTexts as texts } from '../../../assistant-texts.ts';
import { SetCard } from '../set-card.tsx';
import { formatRecentDay, formatUsed } from '../times.ts';
import { describeApp } from '../token-rights.ts';
import { apps, type ConnectedApp, restored, revoke, shownApps } from './connected-apps.ts';

const titleId = 'connected-apps';
const tints = ['', 'b', 'c', 'd', 'e'] as const;

/** Moves the focus to the next app, before the one that has it goes. */
const focusNext = (button: HTMLElement): void => {
  const row = button.closest('li');
  const next = row?.nextElementSibling ?? row?.previousElementSibling;
  (next?.querySelector('button') ?? document.getElementById(titleId))?.focus();
};

const Row = ({ app, isTwin }: { readonly app: ConnectedApp; readonly isTwin: boolean }) => {
  const { id, name, host, lastUsedAt, createdAt, sharesToday } = app;
  const row = useRef<HTMLLIElement>(null);
  useLayoutEffect(() => {
    if (restored.value !== id) return;
    restored.value = undefined;
    row.current?.querySelector('button')?.focus();
  }, [id]);
  const about = [
    lastUsedAt ? texts.used(formatUsed(lastUsedAt)) : texts.neverUsed,
    texts.connected(formatRecentDay(createdAt)),
    ...(isTwin ? [host] : []),
  ];
  return (
    <li class="setrow" ref={row}>
      <span class={`app-ic ${chooseTint(name, tints)}`} aria-hidden="true">
        {[...name.trim()][0]}
      </span>
      <div>
        <b dir="auto" title={host}>
          {name}
        </b>
        <small>{describeApp(app)}</small>
        <small>{about.join(' · ')}</small>
      </div>
      <div class="row">
        {sharesToday > 0 && (
          <Badge>
            <span class="vh">{texts.published}</span>
            {texts.sharesToday(formatNumber(sharesToday))}
          </Badge>
        )}
        {!lastUsedAt && <Badge kind="info">{texts.isNew}</Badge>}
        <Button
          size="sm"
          aria-label={texts.revokeOne(name)}
          onClick={({ currentTarget }) => {
            focusNext(currentTarget);
            void revoke(app);
          }}
        >
          {texts.revoke}
        </Button>
      </div>
    </li>
  );
};

const NoApps = () => (
  <div class="in-card none">
    <p>{texts.noApps}</p>
    <p class="mute small">{texts.noAppsAbout}</p>
  </div>
);

/** The apps that the user has allowed to act as them. */
export const Apps = () => {
  useEffect(() => {
    void apps.load();
    // An app may have been connected, or used, in another window.
    const update = () => {
      if (!document.hidden) void apps.load();
    };
    document.addEventListener('visibilitychange', update);
    return () => document.removeEventListener('visibilitychange', update);
  }, []);
  const shown = shownApps.value;
  const isTwin = ({ id, name }: ConnectedApp) =>
    shown.some((other) => other.id !== id && other.name === name);
  return (
    <SetCard id={titleId} title={texts.apps} about={texts.appsAbout}>
      <Loaded source={apps} lines={3}>
        {() =>
          shown.length === 0 ? (
            <NoApps />
          ) : (
            <ul>
              {shown.map((app) => (
                <Row key={app.id} app={app} isTwin={isTwin(app)} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </SetCard>
  );
};
