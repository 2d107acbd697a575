import { computed } from '@preact/signals';
import { Marked, splitSearch } from '../../../../browser/components/marked.tsx';
import { view } from './url.ts';

/** The words that the page searches for. */
export const searched = computed(() => splitSearch(view.value.search));

/** A text in which what the search has found is marked. */
export const Found = ({ text }: { readonly text: string }) => (
  <Marked text={text} searched={searched.value} />
);
