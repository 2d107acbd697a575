import { signal } from '@preact/signals';
import { render } from 'preact';
import { copyByHand } from '../../../../../browser/data/copy-by-hand.ts';
import { embedLine } from '../../../../../layout/embed-line.ts';
import { resultTexts } from '../../../result-texts.ts';
import { composerTexts as texts } from '../../../texts.ts';
import { byId, controls } from '../elements.ts';
import { findEnd } from '../sending/body.ts';
import { formatTime } from '../times.ts';
import css from './result.css?text';

// Loaded with the first result only.
const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
document.adoptedStyleSheets.push(sheet);

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
  /** Whether the first opening ends it. */
  readonly isBurning: boolean;
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
  failed: copyByHand,
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

interface ValueProps {
  readonly name: string;
  readonly label: string;
  readonly action: string;
  /** What the button says, if it is the primary one. */
  readonly primary?: string;
  readonly value: string;
}

const Value = ({ name, label, action, primary, value }: ValueProps) => {
  const id = `result-${name}`;
  const state = copied.value[name];
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="row">
        <input class="in" id={id} readOnly value={value} autocomplete="off" spellcheck={false} />
        <button
          type="button"
          class={primary === undefined ? 'btn copy' : 'btn copy primary'}
          id={`copy-${name}`}
          aria-label={action}
          onClick={() => {
            (document.getElementById(id) as HTMLInputElement).select();
            return copy(name, value);
          }}
        >
          <i class={state === 'copied' ? 'i-check' : 'i-copy'} />
          {primary ?? resultTexts.copy}
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

const Heading = ({ title, isBurning }: Pick<Result, 'title' | 'isBurning'>) => (
  <header class="row">
    {isBurning && (
      <span class="av l d">
        <i class="i-fire l" />
      </span>
    )}
    <div class="grow">
      <h2 id="result-title">{title}</h2>
      {isBurning && <p class="hint">{resultTexts.burnWhy}</p>}
    </div>
    <form method="dialog" class="end">
      <button type="submit" class="btn ghost icon" aria-label={resultTexts.close}>
        <i class="i-x" />
      </button>
    </form>
  </header>
);

const Sheet = ({ id, url, password, embed, title, isBurning, facts }: Result) => (
  <dialog
    class="modal sheet"
    id="result"
    aria-labelledby="result-title"
    // The text stays on the page: closed, it is that of the share.
    onClose={() => location.assign(`/?edit=${id}`)}
  >
    <Heading title={title} isBurning={isBurning} />
    <Value
      name="link"
      label={resultTexts.link}
      action={resultTexts.copyLink}
      primary={resultTexts.copyLink}
      value={url}
    />
    {isBurning && (
      <p class="note warn">
        <i class="i-info" />
        {resultTexts.burnHint}
      </p>
    )}
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
      <a class="btn ghost" href="/">
        {resultTexts.another}
      </a>
      {!isBurning && (
        <a class="btn ghost" href={url} target="_blank" rel="noopener">
          {resultTexts.open}
        </a>
      )}
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
  const isBurning = !isEdit && Number(controls.viewLimit.value) === 1;
  const saved = isEdit ? resultTexts.saved : resultTexts.shared;
  const title = isBurning ? resultTexts.burns : saved;
  const embed = findEmbedLine(share.url);
  const facts = listFacts();
  render(<Sheet {...share} {...{ embed, title, isBurning, facts }} />, byId('sheet'));
  byId('sheet').querySelector('dialog')?.showModal();
  byId('copy-link').focus();
};
