import { useEffect, useState } from 'preact/hooks';

/** Loading that takes less shows nothing, so that nothing flashes. ms. */
const delayMs = 200;

/** Returns whether loading has lasted long enough to be shown. */
const useDelay = (): boolean => {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsOver(true), delayMs);
    return () => clearTimeout(timer);
  }, []);
  return isOver;
};

interface SkeletonProps {
  /** How many lines are expected. */
  readonly lines: number;
  /** Whether each line begins with a picture or an avatar. */
  readonly hasAvatars?: boolean;
}

/** Lines in the place of a list that is loading. */
export const Skeleton = ({ lines, hasAvatars = false }: SkeletonProps) => {
  const isShown = useDelay();
  return (
    <ul class={isShown ? 'list loading' : 'list loading waits'} aria-hidden="true">
      {Array.from({ length: lines }, (_, at) => (
        <li key={at}>
          {hasAvatars && <span class="sk av" />}
          <span class="stack grow">
            <span class="sk b" />
            <span class="sk a" />
          </span>
        </li>
      ))}
    </ul>
  );
};
