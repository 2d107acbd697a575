import { render } from 'preact';
import { Avatar } from '../../../../../browser/components/avatar.tsx';
import { joinLink } from '../../../../../browser/sealed/link.ts';
import { embedLine } from '../../../../../layout/embed-line.ts';
import { resultTexts as texts } from '../../../result-texts.ts';
import { byId, controls } from '../elements.ts';
import type { UsedSeal } from '../sealing/body.ts';
import { findNewPeople } from '../sending/body.ts';
import { CopyBox, CopyButton, CopyStatus } from './copying.tsx';
import { describeOutcome, type Outcome } from './outcome.ts';
import { Code, CodeButton } from './qr-code.tsx';
import css from './result.css?text';

// Loaded with the first result only.
const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
document.adoptedStyleSheets.push(sheet);

/** A file that another refers to. */
interface MissingFile {
  readonly path: string;
  readonly from: string;
  readonly line: number;
  readonly advice?: string | undefined;
}

/** A share that was stored. */
interface StoredShare {
  readonly id: string;
  readonly url: string;
  readonly password?: string | undefined;
  /** References to files that it doesn’t have. */
  readonly missing?: readonly MissingFile[] | undefined;
}

/** What the dialog says of a share. The address of a sealed one is the whole link, with its key. */
interface Result extends StoredShare, Outcome {
  readonly seal: UsedSeal | undefined;
  /** The line with which the sites that the owner named embed it. */
  readonly embed: string | undefined;
  /** Those who are told of it. */
  readonly told: ReadonlySet<number>;
}

const Heading = ({ icon, tint, title, about }: Outcome) => (
  <header>
    <span class={`tick ${tint}`}>
      <i class={`i-${icon} l`} />
    </span>
    <div>
      <h2 id="result-title">{title}</h2>
      <p class="sub small">{about}</p>
    </div>
    <form method="dialog">
      <button type="submit" class="btn ghost icon sm" aria-label={texts.close}>
        <i class="i-x" />
      </button>
    </form>
  </header>
);

const Readers = ({ people, told }: Pick<Result, 'people' | 'told'>) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a long list scrolls
  <ul class="readers" aria-label={texts.readers} tabIndex={0}>
    {people.map(({ id, name }) => (
      <li key={id}>
        <Avatar name={name} />
        <span class="grow cut" dir="auto">
          {name}
        </span>
        {told.has(id) && <span class="badge">{texts.notified}</span>}
      </li>
    ))}
  </ul>
);

const MissingFiles = ({ missing }: { readonly missing: readonly MissingFile[] }) => (
  <div class="note warn missing">
    <i class="i-alert" />
    <div>
      <b>{texts.missing(new Set(missing.map(({ path }) => path)).size)}</b>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long list scrolls */}
      <ul aria-label={texts.missingFiles} tabIndex={0}>
        {missing.map(({ path, from, line, advice }) => (
          <li key={`${path}:${from}`}>
            <span class="mono">{path}</span> {texts.missingAt(from, line)} {advice}
          </li>
        ))}
      </ul>
    </div>
  </div>
);

interface SealedNotesProps {
  readonly seal: UsedSeal;
  readonly isForPeople: boolean;
}

/** Says that the link has the key, and what readers need besides. */
const SealedNotes = ({ seal: { passphrase }, isForPeople }: SealedNotesProps) => (
  <>
    <p class="note warn">
      <i class="i-lock" />
      <span>
        {texts.sealedHint} {isForPeople && texts.sealedPeople}
      </span>
    </p>
    {passphrase !== undefined && (
      <>
        <CopyBox
          name="passphrase"
          label={texts.passphrase}
          value={passphrase}
          action={texts.copyPassphrase}
          button={texts.copy}
          kind="sm"
        />
        <p class="tiny mute">{texts.passphraseHint}</p>
      </>
    )}
  </>
);

const Body = ({ url, password, isBurning, audience, people, told, missing = [], seal }: Result) => (
  <div class="body">
    {people.length > 0 && <Readers people={people} told={told} />}
    <CopyBox
      name="link"
      label={texts.link}
      isLabelHidden
      value={url}
      action={texts.copyLink}
      button={texts.copyLink}
      // Those chosen are told, and nobody else can open it.
      kind={!seal && (audience === 'people' || audience === 'private') ? '' : 'primary'}
    />
    {seal && <SealedNotes seal={seal} isForPeople={people.length > 0} />}
    {missing.length > 0 && <MissingFiles missing={missing} />}
    {isBurning && (
      <p class="note warn">
        <i class="i-info" />
        {texts.burnHint}
      </p>
    )}
    {password !== undefined && (
      <>
        <CopyBox
          name="password"
          label={texts.password}
          value={password}
          action={texts.copyPassword}
          button={texts.copy}
          kind="sm"
        />
        <p class="tiny mute">{texts.passwordHint}</p>
      </>
    )}
    <Code />
    <CopyStatus />
  </div>
);

/** Opens the system’s sheet for sharing. Closing it without a choice is no failure. */
const send = (title: string, url: string): Promise<void> =>
  navigator.share({ title, url }).catch(() => undefined);

/** What else can be done with a share that its readers need the link of. */
const LinkActions = ({ id, url, embed, isBurning, seal }: Result) => (
  <>
    {isBurning && (
      // Its owner uses up no view of a sealed one.
      <a class="btn ghost" href={seal ? url : `${url}?preview`} target="_blank" rel="noopener">
        <i class="i-eye" />
        {texts.preview}
      </a>
    )}
    {embed !== undefined && (
      <CopyButton name="embed" label={texts.copyEmbed} text={embed} failed={texts.copyEmbedThere} />
    )}
    <CodeButton url={url} />
    {'share' in navigator && (
      <button type="button" class="btn ghost" onClick={() => send(document.title, url)}>
        <i class="i-share" />
        {texts.sendLink}
      </button>
    )}
    <a class="btn ghost" href={`/?edit=${id}`}>
      <i class="i-pen" />
      {texts.editThis}
    </a>
  </>
);

const Actions = (result: Result) => {
  const { id, url, password, audience, isBurning, seal } = result;
  const isPrivate = audience === 'private';
  return (
    <footer>
      {password !== undefined && (
        <CopyButton
          name="both"
          label={texts.copyBoth}
          text={texts.both(url, password)}
          failed={texts.copyEach}
        />
      )}
      {audience === 'people' || isPrivate ? (
        <>
          <a class="btn ghost" href={`/?edit=${id}&options=who`}>
            <i class="i-users" />
            {isPrivate ? texts.changeWho : texts.changePeople}
          </a>
          {seal && <CodeButton url={url} />}
        </>
      ) : (
        <LinkActions {...result} />
      )}
      <a class={isBurning ? 'btn ghost end' : 'btn ghost'} href="/">
        <i class="i-plus" />
        {texts.another}
      </a>
      {!isBurning && (
        <a class="btn ghost end" href={url} target="_blank" rel="noopener">
          <i class="i-open" />
          {texts.open}
        </a>
      )}
    </footer>
  );
};

const Sheet = (result: Result) => (
  <dialog
    class="modal sheet result"
    id="result"
    aria-labelledby="result-title"
    // The text stays on the page: closed, it is that of the share.
    onClose={() => location.assign(`/?edit=${result.id}`)}
  >
    <Heading {...result} />
    <Body {...result} />
    <Actions {...result} />
  </dialog>
);

/** Returns the line that embeds the share, if the owner named sites. */
const findEmbedLine = (url: string): string | undefined =>
  controls.embedOrigins.value.trim() === ''
    ? undefined
    : embedLine(url, controls.title.value.trim() || texts.untitled);

/**
 * Shows the link of the share, and what is shown only once: a generated password, or of a sealed share the key in its link and
 * its passphrase.
 */
export const showResult = (
  share: StoredShare,
  isEdit: boolean,
  seal: UsedSeal | undefined,
): void => {
  const outcome = describeOutcome(isEdit);
  const embed = outcome.audience === 'link' && !seal ? findEmbedLine(share.url) : undefined;
  const told = new Set(findNewPeople().map(({ id }) => id));
  const url = seal ? joinLink(share.url, seal.fragment) : share.url;
  const shown = { ...share, ...outcome, url, seal, embed, told };
  render(<Sheet {...shown} />, byId('sheet'));
  byId('sheet').querySelector('dialog')?.showModal();
  byId('copy-link').focus();
};
