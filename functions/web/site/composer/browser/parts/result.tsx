import { signal } from '@preact/signals';
import { render } from 'preact';
import { embedLine } from '../../../../layout/embed-line.ts';
import { resultTexts } from '../../result-texts.ts';
import { composerTexts as texts } from '../../texts.ts';
import { byId, controls } from './elements.ts';
import { findEnd } from './options.ts';
import { formatTime } from './times.ts';

/** A share that was stored. */
interface StoredShare {
  readonly id: string;
  readonly url: string;
  readonly password?: string | undefined;
}

/** What the sheet says of a share. */
interface Result extends StoredShare {
  /** The line with which the sites that the owner named embed it. */
  readonly embed: string | undefined;
  readonly title: string;
  readonly facts: readonly string[];
}

type CopyState = 'copied' | 'failed';

const copied = signal<Readonly<Record<string, CopyState>>>({});
const code = signal<string | undefined>(undefined);

const copy = async (name: string, text: string): Promise<void> => {
  const state = await navigator.clipboard.writeText(text).then(
    () => 'copied' as const,
    () => 'failed' as const,
  );
  copied.value = { ...copied.value, [name]: state };
};

/** Opens the system’s sheet for sharing. Closing it without a choice is no failure. */
const send = (title: string, url: string): Promise<void> =>
  navigator.share({ title, url }).catch(() => undefined);

const stateTexts: Readonly<Record<CopyState, string>> = {
  copied: resultTexts.copied,
  failed: resultTexts.copyByHand,
};

interface CopyButtonProps {
  readonly name: string;
  readonly label: string;
  readonly text: string;
  readonly failed: string;
}

const CopyButton = ({ name, label, text, failed }: CopyButtonProps) => {
  const state = copied.value[name];
  return (
    <>
      <button type="button" class="btn" onClick={() => copy(name, text)}>
        <i class={state === 'copied' ? 'i-check' : 'i-copy'} />
        {label}
      </button>
      <p class="hint" role="status">
        {state === 'failed' ? failed : state && resultTexts.copied}
      </p>
    </>
  );
};

const Value = ({
  name,
  label,
  action,
  value,
}: {
  readonly name: string;
  readonly label: string;
  readonly action: string;
  readonly value: string;
}) => {
  const id = `result-${name}`;
  const state = copied.value[name];
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="row">
        <input class="in" id={id} readOnly value={value} autocomplete="off" spellcheck={false} />
        <button
          type="button"
          class="btn copy"
          aria-label={action}
          onClick={() => {
            (document.getElementById(id) as HTMLInputElement).select();
            return copy(name, value);
          }}
        >
          <i class={state === 'copied' ? 'i-check' : 'i-copy'} />
          {resultTexts.copy}
        </button>
      </div>
      <p class="hint" role="status">
        {state && stateTexts[state]}
      </p>
    </div>
  );
};

/** Draws a QR code as a path of squares. */
const toPath = (data: readonly (readonly boolean[])[]): string =>
  data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');

const toggleCode = async (url: string): Promise<void> => {
  if (code.value !== undefined) {
    code.value = undefined;
    return;
  }
  const { encode } = await import('uqr');
  const { data, size } = encode(url);
  code.value = `${size} ${toPath(data)}`;
};

const Code = () => {
  if (code.value === undefined) return null;
  const [size, ...path] = code.value.split(' ');
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={resultTexts.qrOf}>
      <path d={path.join(' ')} />
    </svg>
  );
};

const Sheet = ({ id, url, password, embed, title, facts }: Result) => (
  <dialog
    class="modal sheet"
    id="result"
    aria-labelledby="result-title"
    // The text stays on the page: closed, it is that of the share.
    onClose={() => location.assign(`/?edit=${id}`)}
  >
    <header class="row">
      <h2 id="result-title" tabIndex={-1}>
        {title}
      </h2>
      <form method="dialog" class="end">
        <button type="submit" class="btn ghost icon" aria-label={resultTexts.close}>
          <i class="i-x" />
        </button>
      </form>
    </header>
    <Value name="link" label={resultTexts.link} action={resultTexts.copyLink} value={url} />
    {password !== undefined && (
      <>
        <Value
          name="password"
          label={resultTexts.sharedPassword}
          action={resultTexts.copyPassword}
          value={password}
        />
        <CopyButton
          name="both"
          label={resultTexts.copyBoth}
          text={resultTexts.both(url, password)}
          failed={resultTexts.copyEach}
        />
      </>
    )}
    {embed !== undefined && (
      <CopyButton
        name="embed"
        label={resultTexts.copyEmbed}
        text={embed}
        failed={resultTexts.copyEmbedThere}
      />
    )}
    <p class="row wrap facts">
      {facts.map((fact) => (
        <span class="badge" key={fact}>
          {fact}
        </span>
      ))}
    </p>
    <Code />
    <div class="acts">
      <button
        type="button"
        class="btn ghost"
        aria-pressed={code.value !== undefined}
        onClick={() => toggleCode(url)}
      >
        <i class="i-qr" />
        {resultTexts.qr}
      </button>
      {'share' in navigator && (
        <button type="button" class="btn ghost" onClick={() => send(document.title, url)}>
          <i class="i-share" />
          {resultTexts.sendLink}
        </button>
      )}
      <a class="btn ghost" href={`/?edit=${id}`}>
        {resultTexts.editThis}
      </a>
      <a class="btn" href="/">
        {resultTexts.another}
      </a>
      <a class="btn primary" href={url} target="_blank" rel="noopener">
        {resultTexts.open}
      </a>
    </div>
  </dialog>
);

/** Returns who can open the share, and what ends it and when. */
const listFacts = (): string[] => {
  const end = findEnd();
  const views = Number(controls.viewLimit.value);
  return [
    controls.passwordMode.value === 'none' ? texts.anyone : texts.anyoneWithPassword,
    end === undefined ? texts.noExpiry : texts.ends(formatTime(end)),
    views > 0 ? texts.viewsCount(views) : texts.noViewLimit,
  ];
};

/** Returns the line that embeds the share, if the owner named sites. */
const findEmbedLine = (url: string): string | undefined =>
  controls.embedOrigins.value.trim() === ''
    ? undefined
    : embedLine(url, controls.title.value.trim() || resultTexts.untitled);

/** Shows the link of the share and a generated password, which is shown only once. */
export const showResult = (share: StoredShare, isEdit: boolean): void => {
  const title = isEdit ? resultTexts.saved : resultTexts.shared;
  const embed = findEmbedLine(share.url);
  render(<Sheet {...share} embed={embed} title={title} facts={listFacts()} />, byId('sheet'));
  const dialog = byId('sheet').querySelector('dialog');
  dialog?.showModal();
  byId('result-title').focus();
};
