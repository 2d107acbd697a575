import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { createSource } from '../../../../browser/data/source.ts';
import { Loaded } from './section.tsx';

type Component = () => JSX.Element;

/** Creates a component whose code is loaded when it is first shown. */
export const lazily = (load: () => Promise<Component>): Component => {
  const source = createSource(load);
  return () => {
    useEffect(() => {
      if (source.data.value === undefined) void source.load();
    }, []);
    return (
      <Loaded source={source} lines={3}>
        {(Content) => <Content />}
      </Loaded>
    );
  };
};
