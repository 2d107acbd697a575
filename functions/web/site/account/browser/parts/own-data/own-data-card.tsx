import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../../../../../browser/components/button.tsx';
import { Loaded } from '../../../../../browser/components/loaded.tsx';
import { dataTexts as texts } from '../../../data-texts.ts';
import { useAction } from '../security/action.ts';
import { SetCard, SetRow } from '../set-card.tsx';
import { cardId, request } from './actions.ts';
import { ExportRow } from './row.tsx';
import { type Export, exports, getName, isOpen } from './state.ts';
import './style.ts';

/** How often the page looks whether an export is ready. ms. */
const lookMs = 5_000;

const isMailOn = (): boolean => document.getElementById('account')?.dataset['mail'] === 'on';

/** Looks again and again while something is being prepared and the page is seen. */
const useNews = (isWaiting: boolean): void => {
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => {
      if (!document.hidden) void exports.load();
    }, lookMs);
    return () => clearInterval(timer);
  }, [isWaiting]);
};

/** Tells screen readers what has become ready or failed since the page was opened. */
const News = ({ all }: { readonly all: readonly Export[] }) => {
  const waiting = useRef(new Set<number>());
  const done = all.filter((one) => waiting.current.has(one.id) && !isOpen(one));
  useEffect(() => {
    for (const one of all) if (isOpen(one)) waiting.current.add(one.id);
  }, [all]);
  return (
    <p class="vh" role="status">
      {done
        .map((one) =>
          one.status === 'ready' ? texts.nowReady(getName(one)) : texts.nowFailed(getName(one)),
        )
        .join('. ')}
    </p>
  );
};

/** The row of who has not asked for their data lately. */
const RequestRow = () => {
  const { isBusy, run } = useAction();
  return (
    <li class="setrow">
      <SetRow icon="load" title={<b>{texts.ownData}</b>} about={texts.about(isMailOn())}>
        <Button size="sm" isBusy={isBusy.value} onClick={() => run(request)}>
          {texts.request}
        </Button>
      </SetRow>
    </li>
  );
};

const Rows = ({ all }: { readonly all: readonly Export[] }) => {
  const newest = all.find(({ kind }) => kind === 'own-data');
  useNews(all.some(isOpen));
  return (
    <>
      <News all={all} />
      <ul>
        {newest ? <ExportRow key={newest.id} one={newest} title={texts.ownData} /> : <RequestRow />}
        {all
          .filter((one) => one !== newest)
          .map((one) => (
            <ExportRow key={one.id} one={one} />
          ))}
      </ul>
    </>
  );
};

/** What the user takes out: all of their own data, and the lists that the service prepares for them. */
export const OwnData = () => {
  useEffect(() => {
    void exports.load().then(() => {
      if (location.hash !== `#${cardId}`) return;
      const title = document.getElementById(cardId);
      title?.scrollIntoView({ block: 'start' });
      title?.focus({ preventScroll: true });
    });
  }, []);
  return (
    <SetCard id={cardId} title={texts.title}>
      <Loaded source={exports} lines={2}>
        {(all) => <Rows all={all} />}
      </Loaded>
    </SetCard>
  );
};
