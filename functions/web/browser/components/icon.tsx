import type { IconName } from '../../layout/icons.ts';

interface IconProps {
  readonly name: IconName;
  /** 20 instead of 16 px. */
  readonly isLarge?: boolean;
}

/** An icon beside a text. It has no name of its own. */
export const Icon = ({ name, isLarge = false }: IconProps) => (
  <i class={isLarge ? `i-${name} l` : `i-${name}`} aria-hidden="true" />
);
