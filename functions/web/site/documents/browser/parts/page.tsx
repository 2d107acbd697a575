import { Menu, type MenuItem } from '../../../../browser/components/menu.tsx';
import { SearchField } from '../../../../browser/components/search-field.tsx';
import { SortMenu } from '../../../../browser/components/table.tsx';
import { isPlainClick } from '../../../../browser/components/tabs.tsx';
import type { IconName } from '../../../../layout/icons.ts';
import { documentsTexts as texts } from '../../texts.ts';
import { filterBy, getSorts, searchFor, shows, toShow, toUrl, type View } from '../../view.ts';
import { List } from './list.tsx';
import { choices, loadChoices, url, view } from './state.ts';

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

interface FilterProps {
  readonly name: keyof typeof texts.filters;
  readonly icon: IconName;
  /** What it can be, each with the filter that selects it. */
  readonly options: readonly {
    readonly label: string;
    readonly isChosen: boolean;
    readonly filter: Partial<View>;
  }[];
  /** The view without this filter. */
  readonly none: Partial<View>;
}

const Filter = ({ name, icon, options, none }: FilterProps) => {
  const title = texts.filters[name];
  const chosen = options.find(({ isChosen }) => isChosen);
  const toItem = (label: string, isChosen: boolean, filter: Partial<View>): MenuItem => ({
    label,
    icon: 'check',
    isChosen,
    run: () => url.change(filterBy(view.value, filter), 'push'),
  });
  return (
    <Menu
      label={chosen ? texts.filterIs(title, chosen.label) : title}
      icon={icon}
      chip={{ text: chosen?.label ?? title, isOn: chosen !== undefined }}
      onOpen={loadChoices}
      items={[
        toItem(texts.any[name], chosen === undefined, none),
        ...options.map(({ label, isChosen, filter }) => toItem(label, isChosen, filter)),
      ]}
    />
  );
};

/** Of what is combined: folder, tag and type with each other, and with an author. */
const Filters = () => {
  const { show, folder, tag, type, author } = view.value;
  const { folders, tags, types, authors } = choices.value;
  return (
    <>
      <Filter
        name="folder"
        icon="folder"
        none={{ folder: '' }}
        options={folders.map((label) => ({
          label,
          isChosen: label === folder,
          filter: { folder: label },
        }))}
      />
      <Filter
        name="tag"
        icon="list"
        none={{ tag: '' }}
        options={tags.map((one) => ({
          label: `#${one}`,
          isChosen: one === tag,
          filter: { tag: one },
        }))}
      />
      <Filter
        name="type"
        icon="doc"
        none={{ type: '' }}
        options={types.map((one) => ({
          label: texts.types[one] ?? one,
          isChosen: one === type,
          filter: { type: one },
        }))}
      />
      {show === 'all' && (
        <Filter
          name="author"
          icon="user"
          none={{ author: undefined }}
          options={authors.map(([id, label]) => ({
            label,
            isChosen: id === author,
            filter: { author: id },
          }))}
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
