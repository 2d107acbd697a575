import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { createSource } from '../data/source.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';
import { Skeleton } from './skeleton.tsx';
import { componentTexts as texts } from './texts.ts';

type Component<Props> = (props: Props) => JSX.Element | null;

/**
 * Creates a component whose code is loaded when it is first shown. After a failure only a new page tries again: browsers
 * keep the failure of a module.
 */
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
    if (!source.failure.value) return <Skeleton lines={3} />;
    const reload = <Button onClick={() => location.reload()}>{texts.reload}</Button>;
    return (
      <Notice kind="bad" action={reload}>
        {texts.notLoaded}
      </Notice>
    );
  };
};
