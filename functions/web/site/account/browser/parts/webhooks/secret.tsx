import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../../../../../browser/components/button.tsx';
import { copyText } from '../../../../../browser/data/clipboard.ts';
import { copyByHand } from '../../../../../browser/data/copy-by-hand.ts';
import { useUniqueId } from '../../../../../browser/data/unique-id.ts';
import { commonTexts } from '../../../../../browser/texts.ts';
import { webhookTexts as texts } from '../../../webhook-texts.ts';
import { forgetSecret, isSecretCopied, newSecret } from './state.ts';

/** The secret of a webhook, which is shown once. */
export const Secret = () => {
  const id = useUniqueId();
  const field = useRef<HTMLInputElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const { secret, isRenewed } = newSecret.value ?? {};
  // What closes first gives the focus back to what opened it.
  useEffect(() => {
    place.current?.querySelector<HTMLElement>('.btn')?.focus();
  }, [secret]);
  if (secret === undefined) return null;
  const markCopied = () => {
    isSecretCopied.value = true;
  };
  const copy = async () => {
    if (await copyText(secret, commonTexts.copied, copyByHand)) markCopied();
    else field.current?.select();
  };
  return (
    <div class="card new-token" ref={place}>
      <label for={id}>{texts.newSecret}</label>
      <div class="row wrap">
        <input
          ref={field}
          class="in mono"
          id={id}
          value={secret}
          readOnly
          autocomplete="off"
          spellcheck={false}
          onCopy={markCopied}
        />
        <Button kind="primary" icon="copy" onClick={copy}>
          {texts.copySecret}
        </Button>
        <Button kind="ghost" onClick={forgetSecret}>
          {texts.dismissSecret}
        </Button>
      </div>
      {isRenewed && <p class="hint">{texts.formerSecret}</p>}
    </div>
  );
};
