import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Loaded } from '../../../../browser/components/loaded.tsx';
import type { Source } from '../../../../browser/data/source.ts';
import { useUniqueId } from '../../../../browser/data/unique-id.ts';

interface RecordListProps<Item> {
  readonly title: string;
  readonly source: Source<readonly Item[]>;
  /** What it says without items. */
  readonly none: string;
  /** Beside the title. */
  readonly action?: ComponentChildren;
  /** Renders an item as a list item. */
  readonly children: (item: Item) => ComponentChildren;
}

/** A titled list of what belongs to a user, which is loaded when it is shown. */
export const RecordList = <Item,>(props: RecordListProps<Item>) => {
  const { title, source, none, action, children } = props;
  const id = useUniqueId();
  useEffect(() => void source.load(), [source]);
  return (
    <section aria-labelledby={id}>
      <div class="row">
        <h3 id={id}>{title}</h3>
        {action && <span class="end">{action}</span>}
      </div>
      <Loaded source={source} lines={2}>
        {(items) =>
          items.length === 0 ? (
            <p class="small mute">{none}</p>
          ) : (
            <ul class="records">{items.map(children)}</ul>
          )
        }
      </Loaded>
    </section>
  );
};
