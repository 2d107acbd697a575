import { useEffect, useMemo } from 'preact/hooks';
import { getActionText } from '../../../../../../shared/audit/action-texts.ts';
import { Button } from '../../../../browser/components/button.tsx';
import { Drawer } from '../../../../browser/components/drawer.tsx';
import { Loaded } from '../../../../browser/components/loaded.tsx';
import { formatTime } from '../../../../browser/data/format.ts';
import { createSource } from '../../../../browser/data/source.ts';
import { may } from '../../../../browser/shell/session.ts';
import { auditTexts as texts } from '../../texts.ts';
import { type Entry, getActorName, getKey, list, readEntry, url } from './state.ts';
import { formatValue, getFieldName, listFields } from './values.ts';

const getUserLink = (id: string | number): string | undefined =>
  may('users:view') ? `/users?open=${id}` : undefined;

/** Returns the page that shows a subject, if there is one that the user may open. */
const getLink = (subject: string): string | undefined => {
  const [kind, id = ''] = subject.split(':');
  if (kind === 'user' && id !== 'unknown') return getUserLink(id);
  if (kind === 'share' && may('shares:manage')) return `/moderation?list=all&open=${id}`;
  if (kind === 'file' && may('files:manage')) return `/files?open=${id}`;
  if (kind === 'sale' && may('sales:view')) return `/sales?open=${id}`;
  return undefined;
};

const Linked = ({ href, text }: { readonly href: string | undefined; readonly text: string }) =>
  href === undefined ? (
    <span dir="auto">{text}</span>
  ) : (
    <a href={href} dir="auto">
      {text}
    </a>
  );

const Facts = ({ entry }: { readonly entry: Entry }) => {
  const { at, actor, token, via, subject, subjectName, address, requestId, action } = entry;
  const isGone = /\.(delete|purge|expire)$/.test(action);
  return (
    <dl class="facts">
      <div>
        <dt>{texts.fields.when}</dt>
        <dd>{formatTime(at)}</dd>
      </div>
      <div>
        <dt>{texts.fields.who}</dt>
        <dd>
          <Linked
            href={actor?.name == null ? undefined : getUserLink(actor.id)}
            text={getActorName(entry)}
          />
        </dd>
      </div>
      {token && (
        <div>
          <dt>{texts.fields.token}</dt>
          <dd dir="auto">{token.name}</dd>
        </div>
      )}
      {via && (
        <div>
          <dt>{texts.fields.via}</dt>
          <dd>
            <span dir="auto">{via.client}</span> (<span class="mono">{via.tool}</span>)
          </dd>
        </div>
      )}
      <div>
        <dt>{texts.fields.subject}</dt>
        <dd>
          <Linked href={isGone ? undefined : getLink(subject)} text={subjectName ?? subject} />
        </dd>
      </div>
      {address !== '' && (
        <div>
          <dt>{texts.fields.address}</dt>
          <dd class="mono">{address}</dd>
        </div>
      )}
      {requestId !== '' && (
        <div>
          <dt>{texts.fields.request}</dt>
          <dd class="mono">{requestId}</dd>
        </div>
      )}
    </dl>
  );
};

const Difference = ({ entry }: { readonly entry: Entry }) => {
  const fields = listFields(entry);
  const { before, after, users } = entry;
  if (fields.length === 0) return <p class="small mute">{texts.noChanges}</p>;
  return (
    <table class="difference">
      <thead>
        <tr>
          <th scope="col">{texts.field}</th>
          {before && <th scope="col">{texts.before}</th>}
          {after && <th scope="col">{texts.after}</th>}
        </tr>
      </thead>
      <tbody>
        {fields.map((name) => (
          <tr key={name}>
            <th scope="row">{getFieldName(name)}</th>
            {before && (
              <td dir="auto">
                <del>{formatValue(name, before[name], users)}</del>
              </td>
            )}
            {after && (
              <td dir="auto">
                <ins>{formatValue(name, after[name], users)}</ins>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
};

const Narrow = ({ entry }: { readonly entry: Entry }) => {
  const { actor, subject } = entry;
  return (
    <>
      {actor && (
        <Button
          size="sm"
          onClick={() =>
            url.change({ actor: actor.id, subject: undefined, open: undefined }, 'push')
          }
        >
          {texts.onlyBy(getActorName(entry))}
        </Button>
      )}
      <Button
        size="sm"
        onClick={() => url.change({ subject, actor: undefined, open: undefined }, 'push')}
      >
        {texts.onlyAbout}
      </Button>
    </>
  );
};

/** Shows an entry: who, what, when, and each changed field before and after. */
export const EntryDrawer = ({ entryKey }: { readonly entryKey: string }) => {
  const source = useMemo(() => createSource(() => readEntry(entryKey)), [entryKey]);
  const listed = list.items.value?.find((entry) => getKey(entry) === entryKey);
  useEffect(() => {
    if (listed) source.data.value = listed;
    else void source.load();
  }, [source, listed]);
  const entry = source.data.value;
  return (
    <Drawer
      title={entry ? getActionText(entry.action) : texts.list}
      onClose={() => url.close({ open: undefined })}
      footer={entry && <Narrow entry={entry} />}
    >
      <Loaded source={source} lines={5}>
        {(shown) => (
          <>
            <Facts entry={shown} />
            <section>
              <h3>{texts.changes}</h3>
              <Difference entry={shown} />
            </section>
          </>
        )}
      </Loaded>
    </Drawer>
  );
};
