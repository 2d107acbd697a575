import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Data } from '../../../../browser/client/endpoints.ts';
import { Button } from '../../../../browser/components/button.tsx';
import { Dialog, openDialog } from '../../../../browser/components/dialog.tsx';
import { Labeled } from '../../../../browser/components/field.tsx';
import { Notice } from '../../../../browser/components/notice.tsx';
import { copyText } from '../../../../browser/data/clipboard.ts';
import { copyByHand } from '../../../../browser/data/copy-by-hand.ts';
import { api } from '../../../../browser/shell/api.ts';
import { linkTexts as texts } from '../../link-texts.ts';
import type { File } from './state.ts';

type Share = Data<'POST /api/share'>;

/** The link of the new share, and who can open it. */
const Result = ({ share: { url, audience } }: { readonly share: Share }) => {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return (
    <>
      <p class="sub mt0">{texts.audiences[audience]}</p>
      <Labeled label={texts.link}>
        {(connections) => (
          <span class="row">
            <input
              ref={input}
              class="in mono"
              {...connections}
              readOnly
              value={url}
              onFocus={({ currentTarget }) => currentTarget.select()}
            />
            <Button
              kind="primary"
              icon="copy"
              onClick={() => copyText(url, texts.copied, copyByHand)}
            >
              {texts.copy}
            </Button>
          </span>
        )}
      </Labeled>
    </>
  );
};

interface LinkDialogProps {
  readonly file: File;
  readonly close: () => void;
}

const LinkDialog = ({ file: { id, name }, close }: LinkDialogProps) => {
  const share = useSignal<Share | undefined>(undefined);
  const failure = useSignal<string | undefined>(undefined);
  const isBusy = useSignal(false);
  const create = async () => {
    isBusy.value = true;
    failure.value = undefined;
    try {
      share.value = await api.call('POST /api/share', { body: { file: id } });
    } catch (error) {
      failure.value = (error as Error).message;
    }
    isBusy.value = false;
  };
  if (share.value) {
    return (
      <Dialog title={texts.created(name)} onClose={close}>
        <Result share={share.value} />
        <div class="acts">
          <a class="btn ghost" href={`/?edit=${share.value.id}`}>
            {texts.options}
          </a>
          <a class="btn ghost" href={share.value.url}>
            {texts.open}
          </a>
          <Button onClick={close}>{texts.close}</Button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={texts.title(name)} onClose={close}>
      <p class="sub mt0">{texts.about}</p>
      {failure.value !== undefined && <Notice kind="bad">{failure.value}</Notice>}
      <div class="acts">
        <Button onClick={close}>{texts.cancel}</Button>
        <Button kind="primary" icon="link" isBusy={isBusy.value} autofocus onClick={create}>
          {texts.create}
        </Button>
      </div>
    </Dialog>
  );
};

/** Lets the user share a copy of one of their files as a page with a link. */
export const shareAsLink = (file: File): void =>
  openDialog((close) => <LinkDialog file={file} close={close} />);
