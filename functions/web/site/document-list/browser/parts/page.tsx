import { SearchField } from '../../../../browser/components/search-field.tsx';
import { SortMenu } from '../../../../browser/components/table.tsx';
import { isPlainClick } from '../../../../browser/components/tabs.tsx';
import { documentsTexts as texts } from '../../texts.ts';
import { getSorts, searchFor, shows, toShow, toUrl } from '../../view.ts';
import { Filter } from './filter.tsx';
import { List } from './list.tsx';
import { nameAuthor, nameType, url, view } from './state.ts';

const searchDelayMs = 250;

const Shows = () => (
  <nav class="seg" aria-label={texts.show}>
    {shows.map((show) => {
      const next = toShow(view.value, show);
      return (
        <a
          key={show}
          href={toUrl(next)}
          aria-current={show === view.value.show ? 'page' : undefined}
          onClick={(event) => {
            if (!isPlainClick(event)) return;
            event.preventDefault();
            url.change(next, 'push');
          }}
        >
          {texts.shows[show]}
        </a>
      );
    })}
  </nav>
);

/** Of what is combined: folder, tag and type with each other, and with an author. */
const Filters = () => {
  const { show, folder, tag, type, author } = view.value;
  return (
    <>
      <Filter name="folder" icon="folder" chosen={folder || undefined} none={{ folder: '' }} />
      <Filter name="tag" icon="list" chosen={tag ? `#${tag}` : undefined} none={{ tag: '' }} />
      <Filter
        name="type"
        icon="doc"
        chosen={type ? nameType(type) : undefined}
        none={{ type: '' }}
      />
      {show === 'all' && (
        <Filter
          name="author"
          icon="user"
          chosen={author === undefined ? undefined : nameAuthor(author) || texts.filters.author}
          none={{ author: undefined }}
        />
      )}
    </>
  );
};

/** The documents of the user, those that others share, and the trash. */
export const Documents = () => {
  const { show, search } = view.value;
  return (
    <>
      <div class="tools">
        <SearchField
          label={texts.search}
          value={search}
          delayMs={searchDelayMs}
          onInput={(next) => url.change(searchFor(view.value, next))}
        />
        <Shows />
        {show !== 'trash' && search.trim() === '' && <Filters />}
        {show !== 'trash' && (
          <SortMenu
            sorts={getSorts(view.value)}
            value={view.value.sort}
            onChange={(sort) => url.change({ sort, page: 1 })}
          />
        )}
      </div>
      <List />
    </>
  );
};
