import { formatBytes } from '../text/format-bytes.ts';
import { exportNames } from './export-kinds.ts';
import type { StoredExport } from './export-record.ts';

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const formatDay = (iso: string): string =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' }).format(
    new Date(iso),
  );

/** Says what became of an export, in an email and by the bell. */
export const describeExport = ({
  kind,
  status,
  problem,
  bytes = 0,
  expiresAt,
  leftOut = [],
}: StoredExport): { readonly title: string; readonly content: string } => {
  const { text } = exportNames[kind];
  if (status === 'failed') {
    return { title: `The export of ${text} failed`, content: problem ?? '' };
  }
  const until = expiresAt === undefined ? '' : ` until ${formatDay(expiresAt)} (UTC)`;
  const missing = leftOut.length > 0 ? ' Some of it could not be taken along: it says what.' : '';
  return {
    title: `The export of ${text} is ready`,
    content: `${capitalize(text)}: ${formatBytes(bytes)}, to download from your account${until}.${missing}`,
  };
};
