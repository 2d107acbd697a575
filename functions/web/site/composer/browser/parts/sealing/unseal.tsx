import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { SealedError } from '../../../../../../../shared/sealed/envelope.ts';
import { afterRendering } from '../../../../../browser/after-rendering.ts';
import { Button } from '../../../../../browser/components/button.tsx';
import { useUniqueId } from '../../../../../browser/data/unique-id.ts';
import {
  findFragment,
  forgetFragment,
  keepFragment,
} from '../../../../../browser/sealed/kept-key.ts';
import { parseFragment } from '../../../../../browser/sealed/key.ts';
import { findLinkFragment } from '../../../../../browser/sealed/link.ts';
import { sealingTexts as texts } from '../../../sealing-texts.ts';
import { byId } from '../elements.ts';
import { takeFragment, taken } from './sealed.ts';
import { type OpenedShare, openShare } from './sealer.ts';

/** A stored share that is sealed. */
interface SealedShare {
  readonly id: string;
  /** Its envelope. */
  readonly content: string;
}

const asksPassphrase = (fragment: string | undefined): boolean =>
  fragment !== undefined && parseFragment(fragment)?.hasPassphrase === true;

/** Says why a share wasn’t opened. */
const explain = (error: unknown, fragment: string): string => {
  if (!(error instanceof SealedError)) throw error;
  const isAboutKey = error.problem === 'key' || error.problem === 'mismatch';
  if (!isAboutKey) return texts.unreadable;
  return asksPassphrase(fragment) ? texts.wrongPassphrase : texts.wrongKey;
};

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly maxLength: number;
  readonly error: string | undefined;
  readonly onInput: (value: string) => void;
}

/** A field for what is secret: neither checked for spelling, which some browsers send away, nor kept. */
const SecretField = ({ label, value, maxLength, error, onInput }: FieldProps) => {
  const id = useUniqueId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        class="in"
        id={id}
        value={value}
        maxLength={maxLength}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-error`}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      <p class="err" id={`${id}-error`} role="alert">
        {error}
      </p>
    </div>
  );
};

interface UnsealProps {
  readonly share: SealedShare;
  readonly onOpened: (opened: OpenedShare) => void;
  /** The key that this tab has of it. */
  readonly kept: string | undefined;
  /** Why that one doesn’t open it alone. */
  readonly why: string | undefined;
}

const Unseal = ({ share, onOpened, kept: keptFirst, why }: UnsealProps) => {
  const form = useRef<HTMLFormElement>(null);
  const [kept, setKept] = useState(keptFirst);
  const [link, setLink] = useState('');
  const [passphrase, setPassphrase] = useState('');
  const [error, setError] = useState(why);
  const [isBusy, setBusy] = useState(false);
  const fragment = kept ?? findLinkFragment(link);
  const isJoined = asksPassphrase(fragment);
  const refuse = (text: string): void => {
    setError(text);
    setBusy(false);
    afterRendering(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
  };
  useEffect(() => form.current?.querySelector('input')?.focus(), [kept]);
  const open = async (): Promise<void> => {
    if (fragment === undefined) return refuse(texts.noKey);
    if (isJoined && passphrase.trim() === '') return refuse(texts.noPassphrase);
    setBusy(true);
    setError(undefined);
    try {
      onOpened(await openShare(share.content, fragment, isJoined ? passphrase : undefined));
    } catch (cause) {
      refuse(explain(cause, fragment));
    }
  };
  return (
    <section class="unseal" aria-labelledby="unseal-title">
      <h2 id="unseal-title">{texts.title}</h2>
      <p class="sub">{kept === undefined ? texts.about : texts.keyIsHere}</p>
      <form
        ref={form}
        autocomplete="off"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) void open();
        }}
      >
        {kept === undefined && (
          <SecretField
            label={texts.link}
            value={link}
            maxLength={2_000}
            error={isJoined ? undefined : error}
            onInput={setLink}
          />
        )}
        {isJoined && (
          <SecretField
            label={texts.passphrase}
            value={passphrase}
            maxLength={200}
            error={error}
            onInput={setPassphrase}
          />
        )}
        <p class="row">
          <Button type="submit" kind="primary" isBusy={isBusy}>
            {texts.open}
          </Button>
          {kept !== undefined && error !== undefined && (
            <Button
              onClick={() => {
                setError(undefined);
                setKept(undefined);
              }}
            >
              {texts.otherLink}
            </Button>
          )}
          <a class="btn ghost" href="/shares">
            {texts.back}
          </a>
        </p>
      </form>
      <p class="hint">{texts.lost}</p>
    </section>
  );
};

/** Asks for the link, or the passphrase, until the share is opened. */
const ask = (share: SealedShare, why: string | undefined): Promise<OpenedShare> =>
  new Promise((resolve) => {
    const place = byId('unseal');
    const show = (reason: string | undefined): void => {
      const [kept] = listFragments(share);
      const props = { share, kept, why: reason, onOpened };
      render(<Unseal key={kept} {...props} />, place);
    };
    const takeLink = (): void => {
      if (takeFragment(share.id)) void tryKept(share).then((opened) => finish(opened));
    };
    const finish = (opened: OpenedShare | string | undefined): void => {
      if (typeof opened === 'object') onOpened(opened);
      else show(opened);
    };
    const onOpened = (opened: OpenedShare): void => {
      removeEventListener('hashchange', takeLink);
      render(null, place);
      resolve(opened);
    };
    // Another link that is pasted into the address bar loads no page.
    addEventListener('hashchange', takeLink);
    show(why);
  });

/** Lists the keys of a share: that of the address, and that which the tab keeps. */
const listFragments = ({ id }: SealedShare): readonly string[] =>
  [taken.value, findFragment(id)].filter((one) => one !== undefined);

/** Forgets a key that opened nothing, and no other. */
const forget = ({ id }: SealedShare, fragment: string): void => {
  if (taken.value === fragment) taken.value = undefined;
  if (findFragment(id) === fragment) forgetFragment(id);
};

/** Opens a share with a key that this tab has. Returns why it can’t be, or `undefined` where more is asked for. */
const tryKept = async (share: SealedShare): Promise<OpenedShare | string | undefined> => {
  let why: string | undefined;
  for (const fragment of listFragments(share)) {
    if (asksPassphrase(fragment)) return undefined;
    try {
      return await openShare(share.content, fragment);
    } catch (error) {
      why ??= explain(error, fragment);
      forget(share, fragment);
    }
  }
  return why;
};

/**
 * Opens an own share that is sealed: with the key that this tab has, or with what the author enters. `isAsked` says whether
 * something was entered, in a form that has gone with the focus.
 */
export const unseal = async (
  share: SealedShare,
): Promise<OpenedShare & { readonly isAsked: boolean }> => {
  const kept = await tryKept(share);
  const isAsked = typeof kept !== 'object';
  const opened = isAsked ? await ask(share, kept) : kept;
  const keep = () => keepFragment(share.id, opened.sealer.fragment);
  keep();
  // A link that is pasted later leaves the address, too. The key is the one that has opened the share.
  addEventListener('hashchange', () => {
    if (takeFragment(share.id)) keep();
  });
  return { ...opened, isAsked };
};
