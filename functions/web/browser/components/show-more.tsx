import type { PagedList } from '../data/paged-list.ts';
import { focusRow } from '../data/rows.ts';
import { Button } from './button.tsx';
import { componentTexts as texts } from './texts.ts';

interface ShowMoreProps {
  readonly list: PagedList<unknown>;
  /** How many rows are shown. The first one after them gets the focus. */
  readonly count: number;
  readonly class?: string;
}

/** Appends the next page of a list that has one. */
export const ShowMore = ({ list, count, class: extra }: ShowMoreProps) => {
  if (!list.hasNext.value) return null;
  const show = async () => {
    await list.loadMore();
    focusRow(count);
  };
  return (
    <Button
      {...(extra !== undefined && { class: extra })}
      isBusy={list.isLoading.value}
      onClick={show}
    >
      {texts.showMore}
    </Button>
  );
};
