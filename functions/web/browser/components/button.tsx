import type { ButtonHTMLAttributes, ComponentChildren, MouseEventHandler } from 'preact';
import type { IconName } from '../../layout/icons.ts';
import { Icon } from './icon.tsx';

interface ButtonProps
  extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'icon' | 'label' | 'size' | 'class'> {
  /** Without it, secondary. A view has one primary button at most; `danger` is for confirmations. */
  readonly kind?: 'primary' | 'ghost' | 'danger';
  readonly size?: 'sm' | 'lg';
  readonly icon?: IconName;
  /** The name of a button that shows only its icon. */
  readonly label?: string;
  /** Shows a spinner and ignores presses. */
  readonly isBusy?: boolean;
  /** Why it can't be used now. It can be focused, so that everyone finds out. */
  readonly whyDisabled?: string | undefined;
  readonly class?: string;
  readonly children?: ComponentChildren;
}

/** A button. It submits only where `type` says so. */
export const Button = ({
  kind,
  size,
  icon,
  label,
  isBusy = false,
  whyDisabled,
  class: extra,
  onClick,
  children,
  ...attributes
}: ButtonProps) => {
  const classes = ['btn', kind, size, label !== undefined && 'icon', extra];
  const press: MouseEventHandler<HTMLButtonElement> = (event) => {
    if (isBusy || whyDisabled !== undefined) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      type="button"
      {...attributes}
      class={classes.filter(Boolean).join(' ')}
      onClick={press}
      {...(label !== undefined && { 'aria-label': label })}
      {...(isBusy && { 'aria-busy': true })}
      {...(whyDisabled !== undefined && {
        'aria-disabled': true,
        title: whyDisabled,
        'aria-description': whyDisabled,
      })}
    >
      {icon && !isBusy && <Icon name={icon} />}
      {children}
    </button>
  );
};
