import type { ComponentChildren } from 'preact';
import type { IconName } from '../../layout/icons.ts';
import { Icon } from './icon.tsx';

interface BadgeProps {
  readonly kind?: 'ok' | 'warn' | 'bad' | 'info' | undefined;
  /** Has a dot before the text: the badge of a status. */
  readonly hasDot?: boolean;
  readonly icon?: IconName;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A short text about a record. Its color repeats what the text says. */
export const Badge = ({ kind, hasDot = false, icon, class: extra, children }: BadgeProps) => (
  <span class={['badge', hasDot && 'dot', kind, extra].filter(Boolean).join(' ')}>
    {icon && <Icon name={icon} />}
    {children}
  </span>
);
