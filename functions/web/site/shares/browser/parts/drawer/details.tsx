import type { ComponentChildren } from 'preact';
import { formatBytes } from '../../../../../../../shared/text/format-bytes.ts';
import { Badge } from '../../../../../browser/components/badge.tsx';
import { formatTime } from '../../../../../browser/data/format.ts';
import { lacksKey } from '../../../../../browser/sealed/kept-link.ts';
import { languageTexts } from '../../../../../browser/texts.ts';
import { drawerTexts as texts } from '../../../drawer-texts.ts';
import { sharesTexts } from '../../../texts.ts';
import { Audience } from '../audience.tsx';
import type { Share } from '../state.ts';
import { Status } from '../status.tsx';
import { Facts } from './facts.tsx';

/** Says what opens a share besides its link, and how large a sealed one is. */
const describeProtection = ({
  sealed,
  sealedBytes = 0,
  passphrase,
  protected: isProtected,
}: Share): readonly (readonly [name: string, value: ComponentChildren])[] => {
  const { facts } = texts;
  if (!sealed) return [[facts.password, isProtected ? texts.hasPassword : texts.noPassword]];
  return [
    [
      facts.sealed,
      <Badge key="sealed" icon="lock">
        {texts.cantBeRead}
      </Badge>,
    ],
    [facts.passphrase, passphrase ? texts.hasPassphrase : texts.noPassword],
    [facts.size, texts.sealedSize(formatBytes(sealedBytes))],
  ];
};

/** The address of a share. It lacks the key of a sealed one, which isn't shown. */
const Link = ({ share }: { readonly share: Share }) => (
  <>
    {share.url.replace(/^https?:\/\//, '')}
    {share.sealed && (
      <span class="hint blk">{lacksKey(share) ? texts.keyIsElsewhere : texts.keyIsHere}</span>
    )}
  </>
);

/** What a share is, and who can open it until when. */
export const Details = ({ share }: { readonly share: Share }) => {
  const { language, description, createdAt, expiresAt, submittedBy, fileTotals } = share;
  const { facts } = texts;
  return (
    <Facts
      rows={[
        [facts.who, <Audience key="who" share={share} />],
        [facts.status, <Status key="status" share={share} />],
        ...describeProtection(share),
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
        [facts.link, <Link key="link" share={share} />],
      ]}
    />
  );
};
