import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { Data } from '../../../../browser/client/endpoints.ts';
import { Button } from '../../../../browser/components/button.tsx';
import { confirm } from '../../../../browser/components/dialog.tsx';
import { Drawer } from '../../../../browser/components/drawer.tsx';
import { Labeled } from '../../../../browser/components/field.tsx';
import { Loaded } from '../../../../browser/components/loaded.tsx';
import { Notice } from '../../../../browser/components/notice.tsx';
import { toast } from '../../../../browser/components/toast.tsx';
import { copyText } from '../../../../browser/data/clipboard.ts';
import { copyByHand } from '../../../../browser/data/copy-by-hand.ts';
import { formatDay, formatTime } from '../../../../browser/data/format.ts';
import { createSource } from '../../../../browser/data/source.ts';
import { api } from '../../../../browser/shell/api.ts';
import { showFailure } from '../../../../browser/shell/feedback.ts';
import { close } from '../parts/state.ts';
import { feedTexts as texts } from './texts.ts';

type CalendarFeed = NonNullable<Data<'GET /api/calendar/feed'>>;

/** The address, which is shown only once. */
const Address = ({ url }: { readonly url: string }) => (
  <div class="mt">
    <Labeled label={texts.address} hint={texts.once}>
      {(connections) => (
        <input
          class="in mono"
          {...connections}
          readOnly
          value={url}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      )}
    </Labeled>
    <p class="mt0">
      <Button
        kind="primary"
        icon="copy"
        autofocus
        onClick={() => copyText(url, texts.copied, copyByHand)}
      >
        {texts.copy}
      </Button>
    </p>
  </div>
);

/** The API records no use within an hour of the last one, or of the creation. */
const recordedAfterMs = 3_600_000;

const describeUse = ({ createdAt, lastUsedAt }: CalendarFeed): string | undefined => {
  if (lastUsedAt !== null) return texts.lastUsed(formatTime(lastUsedAt));
  return Date.now() - Date.parse(createdAt) > recordedAfterMs ? texts.unused : undefined;
};

/** The address of one’s calendar for other apps: made, copied and ended. */
export const Feed = () => {
  const source = useMemo(
    () => createSource(async () => ({ feed: await api.call('GET /api/calendar/feed') })),
    [],
  );
  const url = useSignal<string | undefined>(undefined);
  const isBusy = useSignal(false);
  useEffect(() => {
    void source.load();
  }, []);
  const run = async (send: () => Promise<unknown>) => {
    isBusy.value = true;
    try {
      await send();
      await source.load();
    } catch (error) {
      showFailure((error as Error).message, () => run(send));
    }
    isBusy.value = false;
  };
  const create = () =>
    run(async () => {
      url.value = (await api.call('POST /api/calendar/feed')).url;
    });
  const replace = async () => {
    const question = { title: texts.replaceTitle, text: texts.replaceText, action: texts.replace };
    if (await confirm(question)) await create();
  };
  const end = async () => {
    const question = { title: texts.endTitle, text: texts.endText, action: texts.end };
    if (!(await confirm(question))) return;
    await run(async () => {
      await api.call('DELETE /api/calendar/feed');
      url.value = undefined;
      toast({ text: texts.ended });
    });
  };
  return (
    <Drawer title={texts.title} onClose={close}>
      <p>{texts.about}</p>
      <p class="mt0 sub">{texts.secret}</p>
      <div class="mt">
        <Loaded source={source} lines={2}>
          {({ feed }) =>
            feed === null ? (
              <Button kind="primary" isBusy={isBusy.value} onClick={create}>
                {texts.create}
              </Button>
            ) : (
              <>
                {url.value === undefined ? (
                  <Notice>
                    {texts.since(formatDay(feed.createdAt))} {describeUse(feed)}
                  </Notice>
                ) : (
                  <Address url={url.value} />
                )}
                <p class="row wrap mt">
                  <Button isBusy={isBusy.value} onClick={replace}>
                    {texts.replace}
                  </Button>
                  <Button kind="ghost" class="bad" isBusy={isBusy.value} onClick={end}>
                    {texts.end}
                  </Button>
                </p>
              </>
            )
          }
        </Loaded>
      </div>
    </Drawer>
  );
};
