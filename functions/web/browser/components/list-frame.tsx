import type { ComponentChildren } from 'preact';
import type { PagedList } from '../data/paged-list.ts';
import { Failure } from './notice.tsx';
import { Skeleton } from './skeleton.tsx';

interface ListFrameProps<Item> {
  readonly list: PagedList<Item>;
  /** The items to show, if not all of the list. */
  readonly shown?: readonly Item[] | undefined;
  /** Loads again what has failed; by default, the first page or more. */
  readonly again?: () => unknown;
  /** Whether rows begin with a picture. */
  readonly hasAvatars?: boolean;
  /** What is shown in place of the list if there is nothing in it. */
  readonly empty: () => ComponentChildren;
  readonly children: (items: readonly Item[]) => ComponentChildren;
}

/** A list, or in its place that it loads, why it couldn’t, or that it is empty. What is shown stays when more can’t be loaded. */
export const ListFrame = <Item,>(props: ListFrameProps<Item>) => {
  const { list, hasAvatars = false, empty, children } = props;
  const loadAgain = () => (list.items.value === undefined ? list.load(1) : list.loadMore());
  const { again = loadAgain } = props;
  const failure = list.failure.value && (
    <div class="pad">
      <Failure error={list.failure.value} again={again} />
    </div>
  );
  const items = 'shown' in props ? props.shown : list.items.value;
  if (items === undefined) return failure ?? <Skeleton lines={8} hasAvatars={hasAvatars} />;
  if (items.length === 0 && !list.hasNext.value) return <>{failure ?? empty()}</>;
  return (
    <>
      {children(items)}
      {failure}
    </>
  );
};
