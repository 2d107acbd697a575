import { effect } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { Badge } from '../../../../browser/components/badge.tsx';
import { Button } from '../../../../browser/components/button.tsx';
import { Icon } from '../../../../browser/components/icon.tsx';
import { lazily } from '../../../../browser/components/lazily.tsx';
import { Menu } from '../../../../browser/components/menu.tsx';
import { Failure } from '../../../../browser/components/notice.tsx';
import { Skeleton } from '../../../../browser/components/skeleton.tsx';
import { formatList } from '../../../../browser/data/format.ts';
import { createSource } from '../../../../browser/data/source.ts';
import { mayEdit, mayManage } from '../../../../browser/document-dialogs/document.ts';
import { formatAge } from '../../../../browser/shell/relative-time.ts';
import { orReload } from '../../../../browser/shell/reload.ts';
import { signedIn } from '../../../../browser/shell/session.ts';
import { documentPageTexts as texts } from '../../texts.ts';
import { chooseFolder, chooseTags, listActions, restore, share } from './actions.ts';
import { Editing, isFull, Reading, TitleField } from './editing.tsx';
import { conflict, save, saveFailure, saveState } from './saving.ts';
import { type Document, getId, isDeleted, isMissing, isOwn, load, source } from './state.ts';
import { url } from './url.ts';

/** How long after a change someone is said to be editing, as the API does. */
const editingMs = 120_000;

const SaveState = () => (
  <>
    {saveState.value === 'saved' && <Icon name="check" />} {texts.states[saveState.value]}
  </>
);

/** What the bar of the page has: whether the document is saved, and what can be done with it. */
export const DocumentActions = () => {
  const document = source.data.value;
  if (!document || isDeleted.value) return null;
  return (
    <>
      {mayEdit(document) && (
        <span class="tiny mute hide-s" id="save-state" role="status">
          <SaveState />
        </span>
      )}
      <Menu label={texts.more} items={listActions(document)} isLarge />
      {mayManage(document) && (
        <Button
          kind="primary"
          icon="users"
          aria-label={texts.share}
          onClick={() => share(document)}
        >
          <span class="word">{texts.share}</span>
        </Button>
      )}
    </>
  );
};

const Tags = ({ tags }: Pick<Document, 'tags'>) => (
  <>
    {tags.map((tag) => (
      <a key={tag} class="badge" href={`/documents?tag=${encodeURIComponent(tag)}`} dir="auto">
        #{tag}
      </a>
    ))}
  </>
);

const Folder = ({ folder }: Pick<Document, 'folder'>) =>
  folder === null ? null : (
    <a class="tiny" href={`/documents?folder=${encodeURIComponent(folder)}`} dir="auto">
      {folder}
    </a>
  );

const Author = ({ document: { author, author_id } }: { readonly document: Document }) =>
  author_id === signedIn?.user.id ? null : <span class="tiny mute">{texts.by(author.name)}</span>;

/** Who else is editing it: as the service said when the document was read or saved, for as long as that holds. */
const EditedNow = ({ editing }: Pick<Document, 'editing'>) => {
  const [shown, show] = useState(editing);
  useEffect(() => {
    show(editing);
    const timer = setTimeout(show, editingMs, []);
    return () => clearTimeout(timer);
  }, [editing]);
  const names = shown.map(({ name }) => name);
  return (
    <span class="tiny mute" role="status">
      {names.length > 0 && texts.editing(formatList(names), names.length === 1)}
    </span>
  );
};

/** On phones here, and else in the bar. */
const NarrowSaveState = () => (
  <span class="tiny mute only-s" role="status">
    <SaveState />
  </span>
);

/** What an editor sees of a document of someone else. */
const EditorsFacts = ({ document }: { readonly document: Document }) => (
  <div class="row">
    <Author document={document} />
    <Folder folder={document.folder} />
    <Tags tags={document.tags} />
    <Badge icon="pen">{texts.canEdit}</Badge>
    <EditedNow editing={document.editing} />
    <NarrowSaveState />
  </div>
);

const EditableFacts = ({ document }: { readonly document: Document }) => {
  const folder = document.folder ?? texts.noFolder;
  return (
    <div class="row">
      <button
        type="button"
        class="setting"
        aria-label={texts.move(folder)}
        onClick={() => chooseFolder(document)}
      >
        <Icon name="folder" />
        <span dir="auto">{folder}</span>
      </button>
      <Tags tags={document.tags} />
      <button type="button" class="setting" onClick={() => chooseTags(document)}>
        <Icon name="plus" />
        {texts.tag}
      </button>
      <Author document={document} />
      <EditedNow editing={document.editing} />
      <NarrowSaveState />
    </div>
  );
};

const Facts = ({
  document: { author, folder, tags, updatedAt },
}: {
  readonly document: Document;
}) => (
  <p class="row tiny mute">
    <span>{texts.by(author.name)}</span>
    <Folder folder={folder} />
    <Tags tags={tags} />
    <time dateTime={updatedAt}>{formatAge(updatedAt)}</time>
  </p>
);

const Head = ({ document }: { readonly document: Document }) => (
  <div class="heads">
    {mayEdit(document) ? (
      <>
        <TitleField />
        {mayManage(document) ? (
          <EditableFacts document={document} />
        ) : (
          <EditorsFacts document={document} />
        )}
      </>
    ) : (
      <>
        <h2 class="t" dir="auto">
          {document.title}
        </h2>
        <Facts document={document} />
        <p class="note">
          {isOwn(document) ? texts.mayNotUpdate : texts.readOnly(document.author.name)}
        </p>
      </>
    )}
    {saveFailure.value !== undefined && (
      <p class="note bad" role="alert">
        {texts.notSaved(saveFailure.value)}{' '}
        <Button size="sm" onClick={save}>
          {texts.tryAgain}
        </Button>
      </p>
    )}
  </div>
);

const Instead = (props: {
  readonly title: string;
  readonly text: string;
  readonly undo?: () => unknown;
}) => (
  <section class="empty">
    <h2>{props.title}</h2>
    <p>{props.text}</p>
    <p class="row">
      {props.undo && <Button onClick={props.undo}>{texts.undo}</Button>}
      <a class="btn" href="/documents">
        {texts.all}
      </a>
    </p>
  </section>
);

/** The view of two versions, loaded when two people have changed the same. */
const conflictView = createSource(
  async () => (await orReload(import('./conflict.tsx'))).ConflictView,
);
effect(() => {
  if (conflict.value) void conflictView.load();
});

const Conflict = () => {
  const View = conflictView.data.value;
  if (!conflict.value) return null;
  if (View) return <View conflict={conflict.value} />;
  const error = conflictView.failure.value;
  // Browsers keep the failure of a module.
  return error ? <Failure error={error} again={() => location.reload()} /> : <Skeleton lines={3} />;
};

/** The former contents, loaded when they are first shown. */
const Revisions = lazily(
  async () => (await orReload(import('./revisions/revisions.tsx'))).RevisionsView,
);

/** One document, which saves itself. */
export const DocumentPage = () => {
  const { data, failure } = source;
  if (isDeleted.value) {
    return <Instead title={texts.deletedTitle} text={texts.deletedText} undo={restore} />;
  }
  if (isMissing.value && !data.value) {
    return <Instead title={texts.missingTitle} text={texts.missingText} />;
  }
  if (!data.value) {
    return (
      <div class="pad">
        {failure.value ? <Failure error={failure.value} again={load} /> : <Skeleton lines={8} />}
      </div>
    );
  }
  const document = data.value;
  const isConflict = conflict.value !== undefined;
  const hasRevisions =
    url.view.value.revisions !== undefined && mayEdit(document) && getId() !== 0 && !isConflict;
  return (
    <div class={isFull.value ? 'document full' : 'document'}>
      <div hidden={hasRevisions}>
        <Head document={document} />
      </div>
      <Conflict />
      {hasRevisions && <Revisions />}
      <div class="grow" hidden={isConflict || hasRevisions}>
        {mayEdit(document) ? <Editing document={document} /> : <Reading document={document} />}
      </div>
    </div>
  );
};
