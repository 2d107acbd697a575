import { formatBytes } from '../../../../../../../shared/text/format-bytes.ts';
import { formatTime } from '../../../../../browser/data/format.ts';
import { languageTexts } from '../../../../../browser/texts.ts';
import { drawerTexts as texts } from '../../../drawer-texts.ts';
import { sharesTexts } from '../../../texts.ts';
import { Audience } from '../audience.tsx';
import type { Share } from '../state.ts';
import { Status } from '../status.tsx';
import { Facts } from './facts.tsx';

/** What a share is, and who can open it until when. */
export const Details = ({ share }: { readonly share: Share }) => {
  const { url, language, description, createdAt, expiresAt, submittedBy, fileTotals } = share;
  const { facts } = texts;
  return (
    <Facts
      rows={[
        [facts.who, <Audience key="who" share={share} />],
        [facts.status, <Status key="status" share={share} />],
        [facts.password, share.protected ? texts.hasPassword : texts.noPassword],
        [facts.expires, expiresAt === null ? sharesTexts.never : formatTime(expiresAt)],
        ...(submittedBy === null ? [] : ([[facts.from, submittedBy]] as const)),
        [facts.created, formatTime(createdAt)],
        [facts.language, languageTexts[language]],
        ...(fileTotals === undefined
          ? []
          : ([
              [facts.files, texts.filesOf(fileTotals.count, formatBytes(fileTotals.bytes))],
            ] as const)),
        ...(description === null ? [] : ([[facts.description, description]] as const)),
        [facts.link, url.replace(/^https?:\/\//, '')],
      ]}
    />
  );
};
