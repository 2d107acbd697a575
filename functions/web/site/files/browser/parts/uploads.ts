import { computed } from '@preact/signals';
import { createUploads } from '../../../../browser/data/uploads.ts';
import { filesTexts as texts } from '../../texts.ts';
import { reload } from './state.ts';

export const uploads = createUploads({
  onStored: reload,
  onCanceled: reload,
  onThumbnail: reload,
});

const { items, isUploading } = uploads;

/** The sum of what the uploads that weren’t canceled have sent, from 0 to 1. */
export const progress = computed(() => {
  const counted = items.value.filter(({ state }) => state !== 'canceled' && state !== 'failed');
  // Empty files count, too.
  const all = counted.reduce((sum, { file }) => sum + file.size + 1, 0);
  const sent = counted.reduce((sum, { file, part }) => sum + (file.size + 1) * part, 0);
  return all === 0 ? 1 : sent / all;
});

/** What became of all uploads; empty while some run. */
export const summary = computed(() => {
  if (isUploading.value) return '';
  const count = (state: string) => items.value.filter((item) => item.state === state).length;
  const [done, failed] = [count('uploaded'), count('failed')];
  const parts = [
    ...(done > 0 ? [texts.uploadedAll(done)] : []),
    ...(failed > 0 ? [texts.failedSome(failed)] : []),
  ];
  return parts.join(', ');
});
