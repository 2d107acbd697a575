import { formatNumber } from '../data/format.ts';
import type { PagedList } from '../data/paged-list.ts';
import { Button } from './button.tsx';
import { componentTexts as texts } from './texts.ts';

interface PagerProps {
  readonly list: PagedList<unknown>;
  readonly pageSize: number;
  /** Opens a page. */
  readonly onPage: (page: number) => unknown;
}

/** Says which items of a list are shown, and goes on and back. */
export const Pager = ({ list, pageSize, onPage }: PagerProps) => {
  const { items, total, totalIsExact, page, hasNext } = list;
  const shown = items.value?.length ?? 0;
  if (shown === 0) return null;
  const first = (page.value - 1) * pageSize + 1;
  const last = first + shown - 1;
  const all = formatNumber(Math.max(total.value ?? last, last));
  const count = totalIsExact.value ? all : texts.atLeast(all);
  return (
    <nav class="pager" aria-label={texts.pages}>
      <span class="num" role="status">
        {texts.range(formatNumber(first), formatNumber(last), count)}
      </span>
      {(page.value > 1 || hasNext.value) && (
        <span class="row end">
          <Button size="sm" disabled={page.value === 1} onClick={() => onPage(page.value - 1)}>
            {texts.previous}
          </Button>
          <Button size="sm" disabled={!hasNext.value} onClick={() => onPage(page.value + 1)}>
            {texts.next}
          </Button>
        </span>
      )}
    </nav>
  );
};
