import type { ComponentChildren } from 'preact';
import { Menu } from '../../../../browser/components/menu.tsx';
import { SearchField } from '../../../../browser/components/search-field.tsx';
import { SortMenu } from '../../../../browser/components/table.tsx';
import { isPlainClick } from '../../../../browser/components/tabs.tsx';
import { formatNumber } from '../../../../browser/data/format.ts';
import { sharesTexts as texts } from '../../texts.ts';
import { lists, type Sort, toList, toUrl } from '../../view.ts';
import { newCount, url } from './state.ts';

/** The API counts no more. */
const mostNew = 100;

/** The lists, of which one is shown. */
export const Whose = () => {
  const current = url.view.value.with;
  return (
    <nav class="seg" aria-label={texts.whose}>
      {lists.map((whose) => (
        <a
          key={whose}
          href={toUrl(toList(whose))}
          aria-current={whose === current ? 'page' : undefined}
          onClick={(event) => {
            if (!isPlainClick(event)) return;
            event.preventDefault();
            if (whose !== current) url.change(toList(whose), 'push');
          }}
        >
          {texts.lists[whose]}
          {whose === 'me' && whose !== current && newCount.value > 0 && (
            <span class="count on">
              {newCount.value < mostNew ? formatNumber(newCount.value) : texts.manyNew}
              <span class="vh">{texts.newOnes}</span>
            </span>
          )}
        </a>
      ))}
    </nav>
  );
};

interface FilterProps<Value> {
  readonly name: string;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  /** What it is; the first option is no filter. */
  readonly value: Value;
  readonly onChange: (value: Value) => unknown;
}

/** A filter of a list, with a menu of what it can be. */
export const Filter = <Value,>({ name, options, value, onChange }: FilterProps<Value>) => {
  const chosen = options.slice(1).find((one) => one.value === value);
  return (
    <Menu
      label={chosen ? texts.filterIs(name, chosen.label) : name}
      icon="plus"
      chip={{ text: chosen?.label ?? name, isOn: chosen !== undefined }}
      items={options.map((one) => ({
        label: one.label,
        icon: 'check',
        isChosen: one.value === value,
        run: () => onChange(one.value),
      }))}
    />
  );
};

interface ToolsProps {
  /** Whether there is something to search. */
  readonly hasRows: boolean;
  readonly sorts: readonly Sort[];
  /** The filters. */
  readonly children: ComponentChildren;
}

/** Which list it is, and what of it. */
export const Tools = ({ hasRows, sorts, children }: ToolsProps) => {
  const { search, sort } = url.view.value;
  return (
    <div class="tools">
      <Whose />
      {hasRows && (
        <>
          <SearchField
            label={texts.search}
            value={search}
            onInput={(next) => url.change({ search: next })}
          />
          {children}
          <SortMenu
            class="sort"
            sorts={sorts}
            value={sort}
            onChange={(next) => url.change({ sort: next })}
          />
        </>
      )}
    </div>
  );
};
