import { Button } from '../../../../browser/components/button.tsx';
import { Menu } from '../../../../browser/components/menu.tsx';
import { Failure } from '../../../../browser/components/notice.tsx';
import { Skeleton } from '../../../../browser/components/skeleton.tsx';
import { formatAge } from '../../../../browser/shell/relative-time.ts';
import { documentPageTexts as texts } from '../../texts.ts';
import { listActions, restore } from './actions.ts';
import { Conflict } from './conflict.tsx';
import { Editing, Reading, TitleField, ViewSwitch } from './editing.tsx';
import { conflict, save, saveFailure, saveState } from './saving.ts';
import { type Document, isDeleted, isEditable, isMissing, isOwn, load, source } from './state.ts';

const SaveState = () => (
  <span class="row tiny mute" id="save-state" role="status">
    {texts.states[saveState.value]}
  </span>
);

const Facts = ({ document }: { readonly document: Document }) => {
  const { author, folder, tags, updatedAt } = document;
  return (
    <p class="facts row tiny mute">
      <span>{texts.by(author.name)}</span>
      {folder !== null && (
        <a href={`/documents?folder=${encodeURIComponent(folder)}`} dir="auto">
          {folder}
        </a>
      )}
      {tags.map((tag) => (
        <a key={tag} class="badge" href={`/documents?tag=${encodeURIComponent(tag)}`} dir="auto">
          {tag}
        </a>
      ))}
      <time dateTime={updatedAt}>{formatAge(updatedAt)}</time>
    </p>
  );
};

const Head = ({ document }: { readonly document: Document }) => {
  const mayEdit = isEditable(document);
  return (
    <div class="doc-head">
      <div class="row">
        <span class="grow">
          {mayEdit ? (
            <TitleField />
          ) : (
            <h2 class="t" dir="auto">
              {document.title}
            </h2>
          )}
        </span>
        {mayEdit && <SaveState />}
        {mayEdit && <ViewSwitch type={document.type} />}
        <Menu label={texts.more} items={listActions(document)} />
      </div>
      <Facts document={document} />
      {!mayEdit && (
        <p class="note">
          {isOwn(document) ? texts.mayNotUpdate : texts.readOnly(document.author.name)}
        </p>
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
};

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
  return (
    <div class="document">
      <Head document={document} />
      <Conflict />
      <div class="grow" hidden={conflict.value !== undefined}>
        {isEditable(document) ? <Editing document={document} /> : <Reading document={document} />}
      </div>
    </div>
  );
};
