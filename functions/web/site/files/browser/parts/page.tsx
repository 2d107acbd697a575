import { formatBytes } from '../../../../../../shared/text/format-bytes.ts';
import { lazily } from '../../../../browser/components/lazily.tsx';
import { SearchField } from '../../../../browser/components/search-field.tsx';
import { SortMenu } from '../../../../browser/components/table.tsx';
import { isPlainClick } from '../../../../browser/components/tabs.tsx';
import { may } from '../../../../browser/shell/session.ts';
import { filesTexts as texts } from '../../texts.ts';
import { hasSort, isOfFolder, isTrash, shows, sorts, toUrl } from '../../view.ts';
import { Crumbs } from './crumbs.tsx';
import { dropTarget } from './dragging.ts';
import { List } from './list.tsx';
import { toFolder, url, usage, view } from './state.ts';

const searchDelayMs = 250;

const Show = () => (
  <select
    class="in"
    aria-label={texts.show}
    value={view.value.show}
    onChange={({ currentTarget }) => {
      const show = shows.find((one) => one === currentTarget.value);
      if (show) url.change({ show, folder: '', open: undefined }, 'push');
    }}
  >
    {shows
      .filter((show) => show !== 'folders' || may('files:create'))
      .map((show) => (
        <option key={show} value={show}>
          {texts.shows[show]}
        </option>
      ))}
  </select>
);

const Usage = () => {
  const { data } = usage;
  if (!data.value) return null;
  const { used, trashed, submitted, quota } = data.value;
  return (
    <span class="usage">
      <meter aria-label={texts.storage} value={used} max={quota} high={0.9 * quota} />
      <span class="row wrap tiny mute num">
        <span id="used">{texts.used(formatBytes(used), formatBytes(quota))}</span>
        {submitted > 0 && (
          <a href="/shares?with=requests">{texts.submitted(formatBytes(submitted))}</a>
        )}
        {trashed > 0 && (
          <a href={toUrl({ ...toFolder(''), show: 'trash' })}>
            {texts.trashed(formatBytes(trashed))}
          </a>
        )}
      </span>
    </span>
  );
};

const Path = () => (
  <Crumbs label={texts.path} folder={view.value.folder}>
    {({ name, path }) => (
      <a
        href={toUrl(toFolder(path))}
        dir="auto"
        {...dropTarget(path)}
        onClick={(event) => {
          if (!isPlainClick(event)) return;
          event.preventDefault();
          url.change(toFolder(path), 'push');
          document.querySelector('main')?.focus();
        }}
      >
        {name}
      </a>
    )}
  </Crumbs>
);

const TrashList = lazily(async () => (await import('./trash-list.tsx')).TrashList);
const Preview = lazily(async () => (await import('./preview.tsx')).Preview);

/** The files and folders of the user, and what others share. */
export const Files = () => {
  const { open, search, folder } = view.value;
  return (
    <div class={open === undefined ? undefined : 'split'}>
      <div>
        <div class="tools">
          <SearchField
            label={texts.search}
            value={view.value.search}
            delayMs={searchDelayMs}
            onInput={(search) => url.change({ search, open: undefined })}
          />
          {search.trim() === '' && <Show />}
          {hasSort(view.value) && (
            <SortMenu
              sorts={sorts}
              value={view.value.sort}
              onChange={(sort) => url.change({ sort })}
            />
          )}
          <Usage />
        </div>
        {!may('files:create') && <p class="hint tip">{texts.mayNotUpload}</p>}
        {isOfFolder(view.value) && folder !== '' && <Path />}
        {isTrash(view.value) ? <TrashList /> : <List />}
      </div>
      {open !== undefined && <Preview id={open} />}
    </div>
  );
};
