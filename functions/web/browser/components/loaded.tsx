import type { ComponentChildren } from 'preact';
import type { Source } from '../data/source.ts';
import { Failure } from './notice.tsx';
import { Skeleton } from './skeleton.tsx';

interface LoadedProps<Data> {
  readonly source: Source<Data>;
  /** How many lines are expected. */
  readonly lines: number;
  children(data: Data): ComponentChildren;
}

/** What a source has loaded, or why it couldn’t. */
export const Loaded = <Data,>({ source, lines, children }: LoadedProps<Data>) => {
  const { data, failure } = source;
  return (
    <>
      {failure.value !== undefined && (
        <div class="in-card">
          <Failure error={failure.value} again={source.load} />
        </div>
      )}
      {data.value !== undefined && children(data.value)}
      {data.value === undefined && failure.value === undefined && <Skeleton lines={lines} />}
    </>
  );
};
