import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { createSource } from '../data/source.ts';
import { Failure } from './notice.tsx';
import { Skeleton } from './skeleton.tsx';

type Component<Props> = (props: Props) => JSX.Element | null;

/** Creates a component whose code is loaded when it is first shown. */
export const lazily = <Props extends object>(
  load: () => Promise<Component<Props>>,
): Component<Props> => {
  const source = createSource(load);
  return (props) => {
    useEffect(() => {
      if (source.data.value === undefined) void source.load();
    }, []);
    const Content = source.data.value;
    if (Content) return <Content {...props} />;
    const failure = source.failure.value;
    return failure ? <Failure error={failure} again={source.load} /> : <Skeleton lines={3} />;
  };
};
