import type { ComponentChildren } from 'preact';
import { Avatar } from '../components/avatar.tsx';
import { Badge } from '../components/badge.tsx';
import { Icon } from '../components/icon.tsx';
import { sharingTexts as texts } from './texts.ts';

export type Role = 'reader' | 'editor';

/** What everyone may do with a record. */
export type OpenTo = Role | 'none';

/** Someone with whom a record is shared, and what they may do. */
export interface Reader {
  readonly id: number;
  readonly name: string;
  readonly role: Role;
  readonly isEditing?: boolean;
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: Readonly<Partial<Record<Value, string>>>;
  readonly class?: string;
  readonly isBusy?: boolean;
  readonly onChoose: (value: Value) => unknown;
}

/** A choice that applies at once. */
export const Choice = <Value extends string>(props: ChoiceProps<Value>) => {
  const { label, value, options, class: style = 'role', isBusy = false, onChoose } = props;
  return (
    <select
      class={style}
      aria-label={label}
      aria-busy={isBusy}
      value={value}
      onChange={({ currentTarget }) => {
        const next = currentTarget.value as Value;
        // It shows what is stored until that is another.
        currentTarget.value = value;
        if (!isBusy && next !== value) onChoose(next);
      }}
    >
      {(Object.keys(options) as Value[]).map((one) => (
        <option key={one} value={one}>
          {options[one]}
        </option>
      ))}
    </select>
  );
};

interface RowProps {
  readonly picture: ComponentChildren;
  readonly name: string;
  readonly about?: string;
  readonly children: ComponentChildren;
}

const Row = ({ picture, name, about, children }: RowProps) => (
  <li>
    {picture}
    <span class="grow">
      <b class="cut" dir="auto" title={name}>
        {name}
      </b>
      {about !== undefined && <span class="tiny mute">{about}</span>}
    </span>
    {children}
  </li>
);

interface AccessListProps {
  readonly owner: string;
  readonly ownerName: string;
  readonly readers: readonly Reader[];
  /** What readers, and everyone, can be given. */
  readonly roles: Readonly<Partial<Record<Role, string>>>;
  /** Who everyone is. */
  readonly everyoneAbout: string;
  readonly openTo: OpenTo;
  /** The reader whose access is being changed, 0 for everyone’s. */
  readonly busyWith: number | undefined;
  readonly onRole: (reader: Reader, role: Role | undefined) => unknown;
  readonly onOpenTo: (openTo: OpenTo) => unknown;
}

/** Who has access to a record, and how; changes apply at once. */
export const AccessList = (props: AccessListProps) => {
  const { owner, ownerName, readers, roles, everyoneAbout, openTo, busyWith } = props;
  const { onRole, onOpenTo } = props;
  return (
    <ul class="access" aria-label={texts.access}>
      <Row picture={<Avatar name={ownerName} />} name={owner}>
        <Badge>{texts.owner}</Badge>
      </Row>
      {readers.map((reader) => (
        <Row
          key={reader.id}
          picture={<Avatar name={reader.name} />}
          name={reader.name}
          {...(reader.isEditing && { about: texts.editingNow })}
        >
          <Choice
            label={texts.whatTheyCanDo(reader.name)}
            value={reader.role as Role | 'none'}
            options={{ ...roles, none: texts.remove }}
            isBusy={busyWith === reader.id}
            onChoose={(role) => onRole(reader, role === 'none' ? undefined : role)}
          />
        </Row>
      ))}
      <Row
        picture={
          <span class="av" aria-hidden="true">
            <Icon name="globe" />
          </span>
        }
        name={texts.everyone}
        about={everyoneAbout}
      >
        <Choice
          label={texts.whatEveryoneCanDo}
          value={openTo}
          options={{ none: texts.noAccess, ...roles }}
          isBusy={busyWith === 0}
          onChoose={onOpenTo}
        />
      </Row>
    </ul>
  );
};
