import { getInitials } from '../../layout/initials.ts';

const tints = ['', 'b', 'c', 'd', 'e'] as const;

/** Chooses the tint, one of these classes, that a name always gets. */
export const chooseTint = (name: string, of: readonly string[]): string =>
  of[[...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % of.length] ?? '';

interface AvatarProps {
  readonly name: string;
  readonly size?: 's' | 'l';
}

/** The initials of someone whose name stands beside it. */
export const Avatar = ({ name, size }: AvatarProps) => (
  <span class={['av', chooseTint(name, tints), size].filter(Boolean).join(' ')} aria-hidden="true">
    {getInitials(name)}
  </span>
);

interface PersonProps extends AvatarProps {
  /** Below the name, such as an email address. */
  readonly about?: string | undefined;
  /** Makes the name a link. */
  readonly href?: string | undefined;
  readonly onClick?: ((event: MouseEvent) => void) | undefined;
}

/** Someone, with a line about them. */
export const Person = ({ name, size, about, href, onClick }: PersonProps) => (
  <span class="person">
    <Avatar name={name} {...(size && { size })} />
    <span>
      <b title={name} dir="auto">
        {href === undefined ? (
          name
        ) : (
          <a href={href} onClick={onClick}>
            {name}
          </a>
        )}
      </b>
      {about !== undefined && <span title={about}>{about}</span>}
    </span>
  </span>
);
