import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { Drawer } from '../components/drawer.tsx';
import { Loaded } from '../components/loaded.tsx';
import type { Records, Versioned } from '../data/record-list.ts';
import { createSource } from '../data/source.ts';

interface RecordDrawerProps<Stored> {
  readonly id: number;
  readonly records: Records<Stored>;
  /** Reads the record if the page doesn’t have it. */
  readonly read: () => Promise<Stored>;
  /** The title while it is read. */
  readonly title: string;
  readonly onClose: () => unknown;
  /** Renders the drawer of the record as the page knows it now. */
  readonly children: (record: Stored) => JSX.Element;
}

/** Opens a record of a list, or one that the list doesn’t show, and follows its changes from anywhere on the page. */
export const RecordDrawer = <Stored extends Versioned>(props: RecordDrawerProps<Stored>) => {
  const { id, records, read, title, onClose, children } = props;
  const source = useMemo(() => createSource(async () => records.show(await read())), [id]);
  const record = records.find(id);
  useEffect(() => {
    // It stays open although the list may show others.
    if (record) records.keep(record);
    else void source.load();
  }, [id]);
  if (record) return children(record);
  return (
    <Drawer title={title} onClose={onClose}>
      <Loaded source={source} lines={6}>
        {() => null}
      </Loaded>
    </Drawer>
  );
};
