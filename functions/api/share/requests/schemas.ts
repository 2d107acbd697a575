import * as z from 'zod';
import { examplePage } from '../../../../shared/http/envelope.ts';
import { getExpiry } from '../../../../shared/input/share-age.ts';
import { audiences } from '../../../../shared/permissions/audiences.ts';
import { getSetting } from '../../../../shared/runtime/settings.ts';
import { getAudience, isOpenToAll } from '../record/audience.ts';
import { shownOptions, showOptions, showReaderOptions } from '../record/options.ts';
import type { FoundShare, OpenedShare, StoredShare } from '../record/share.ts';
import {
  closers,
  countViewsLeft,
  findEndCause,
  getShareStatus,
  getTitle,
  getUrl,
  hasPassword,
  languages,
} from '../record/share.ts';
import { exampleFile, exampleMissing, ShownFiles, toShownFile } from './file-fields.ts';
import { ReaderList } from './reader-list.ts';

export const Language = z.enum(languages);

export const exampleShare = {
  id: 'mZ3kP0cWbq7x1VvH9sTt2A',
  language: 'markdown' as const,
  ...showOptions({ title: 'A note', viewLimit: 3 }),
  submittedBy: null,
  titleIsGiven: true,
  views: 1,
  viewsLeft: 2,
  expiresAt: null,
  createdAt: '2026-11-21T12:00:00.000Z',
  updatedAt: '2026-11-21T12:00:00.000Z',
  version: 1,
  status: 'active' as const,
  firstViewedAt: '2026-11-21T14:05:00.000Z',
  lastViewedAt: '2026-11-21T14:05:00.000Z',
  endedBy: null,
  protected: true,
  url: 'https://handbill.example.com/s/mZ3kP0cWbq7x1VvH9sTt2A',
};

const exampleTotals = { count: 3, bytes: 48_120 };

/** A share without its content. */
export const ShareSummary = z
  .object({
    id: z.string(),
    language: Language,
    ...shownOptions,
    submittedBy: z.string().nullable().meta({
      description:
        'The name that was given by who handed it in through a share request, without an account. `null` if its owner wrote it, and for others than its owner.',
    }),
    titleIsGiven: z.boolean().meta({
      description:
        'Whether `title` was given. Otherwise it is what the Markdown has: `title` of its front matter, else its first heading; it follows each change of the content.',
    }),
    views: z.int().meta({
      description: 'The number of views. Exact if there is a view limit, otherwise approximate.',
    }),
    viewsLeft: z.int().nullable(),
    expiresAt: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    version: z.int(),
    status: z.enum(['active', 'ended', 'taken-down', 'suspended']).meta({
      description:
        'Only an `active` share can be read. `suspended` means that its owner’s account is not active.',
    }),
    firstViewedAt: z.iso.datetime().nullable().meta({
      description:
        'When the first view was counted; kept for 90 days after the end. `null` for readers.',
    }),
    lastViewedAt: z.iso.datetime().nullable().meta({
      description: 'When the latest view was counted. `null` for readers.',
    }),
    endedBy: z
      .enum(['views', 'time', ...closers])
      .nullable()
      .meta({
        description:
          'What ended the share: its view limit, its expiration, or who; `null` if it is open.',
      }),
    protected: z.boolean(),
    url: z.url(),
    fileTotals: z
      .object({
        count: z.int().meta({ description: 'The number of files, with the main page.' }),
        bytes: z.int().meta({ description: 'Their size together.' }),
      })
      .optional()
      .meta({ description: 'How many files the share has. Absent without files.' }),
    sealed: z.boolean().optional().meta({
      description:
        'Whether content and files are sealed: encrypted for those who have the key, which the service hasn’t. Absent otherwise.',
    }),
    sealedBytes: z.int().optional().meta({
      description: 'The size of the envelope of a sealed share.',
    }),
    passphrase: z.boolean().optional().meta({
      description: 'Whether a passphrase joins the key of a sealed share.',
    }),
  })
  .meta({ id: 'ShareSummary', examples: [exampleShare] });

const readerList = ReaderList.optional().meta({
  description: 'With the audience `people`, for its owner: `readers` by name.',
});

export const Share = ShareSummary.extend({
  content: z.string().meta({ description: 'As it was sent. Of a sealed share, its envelope.' }),
  html: z.string().optional().meta({ description: 'Markdown only: the rendered HTML fragment.' }),
  files: ShownFiles.optional().meta({
    description: 'The files of the share with its main page, whose text is `content`.',
  }),
  main: z.string().optional().meta({ description: 'The path of the main page among `files`.' }),
  filesUrl: z.url().optional().meta({
    description:
      'What the paths of `files` are appended to, percent-encoded, to read them. Unless everyone can read the share any number of times, it is valid for 15 minutes, and all that is read is this view.',
  }),
  author: z.string().optional().meta({
    description:
      'The name of its owner. Only of a sealed share, for who proves the key: its page gets all that it says from here.',
  }),
  readerList,
  endToken: z.string().optional().meta({
    description:
      'Of a sealed share that readers can end, for who has opened it: the `token` of `POST /s/{id}/end`, valid for a day.',
  }),
}).meta({
  id: 'Share',
  examples: [
    { ...exampleShare, content: '# Hi', html: '<h1>Hi</h1>' },
    {
      ...exampleShare,
      language: 'html' as const,
      content: '<img src="img/mill.jpg">',
      fileTotals: exampleTotals,
      files: [exampleFile],
      main: exampleFile.path,
      filesUrl: 'https://snippets.example.com/mZ3kP0cWbq7x1VvH9sTt2A/',
    },
    {
      ...{ ...exampleShare, protected: false, content: 'SEJTAQBZeyJpZCI6…' },
      ...{ sealed: true, sealedBytes: 1_135, passphrase: false, author: 'Ana Vidal' },
      ...{ readersCanEnd: true, endToken: 'eyJhbGciOiJIUzI1NiJ9…' },
    },
  ],
});

/** References of files to files that the share doesn’t have. */
const missing = z
  .array(
    z.object({
      path: z.string().meta({ description: 'What is referred to, as it is written.' }),
      from: z.string().meta({ description: 'The path of the file that refers to it.' }),
      line: z.int(),
      advice: z.string().optional().meta({ description: 'What to do, if it can’t be found.' }),
    }),
  )
  .optional()
  .meta({
    description: 'Scripts, styles, images and links that the share doesn’t have, at most 100.',
  });

/** A new share. */
export const CreatedShare = z
  .object({
    id: z.string(),
    language: Language,
    message: z.string(),
    url: z.url(),
    audience: z.enum(audiences).meta({ description: 'Who can open it.' }),
    expiresAt: z.iso.datetime().nullable().optional().meta({
      description: 'When it ends, where `MAX_SHARE_AGE` of the service bounds that.',
    }),
    password: z
      .string()
      .optional()
      .meta({ description: 'The generated password. It is shown only once.' }),
    readAs: z.string().optional().meta({
      description:
        'The encoding that a text or file was read in, unless it is UTF-8, such as `Windows-1252`.',
    }),
    missing,
  })
  .meta({
    id: 'CreatedShare',
    examples: [
      {
        id: exampleShare.id,
        language: 'markdown',
        message: 'Shared',
        url: exampleShare.url,
        audience: 'link',
        password: 'k4Tz9Q',
      },
      {
        id: exampleShare.id,
        language: 'html',
        message: 'Shared',
        url: exampleShare.url,
        audience: 'link',
        missing: [exampleMissing],
      },
    ],
  });

/** A share after a change. */
export const UpdatedShare = ShareSummary.extend({
  message: z.string(),
  readerList,
  missing,
  password: z
    .string()
    .optional()
    .meta({ description: 'The generated password. It is shown only once.' }),
}).meta({
  id: 'UpdatedShare',
  examples: [
    { ...exampleShare, message: 'Saved' },
    { ...exampleShare, fileTotals: exampleTotals, message: 'Saved' },
    { ...exampleShare, fileTotals: exampleTotals, message: 'Saved', missing: [exampleMissing] },
  ],
});

/** A share after its end. */
export const EndedShare = ShareSummary.extend({ message: z.string() }).meta({
  id: 'EndedShare',
  examples: [{ ...exampleShare, status: 'ended', message: 'Share ended' }],
});

/** A share whose end was taken back. */
export const ReopenedShare = ShareSummary.extend({ message: z.string() }).meta({
  id: 'ReopenedShare',
  examples: [{ ...exampleShare, message: 'Share reopened' }],
});

/** A deleted share. */
export const DeletedShare = z
  .object({ id: z.string(), message: z.string() })
  .meta({ id: 'DeletedShare', examples: [{ id: exampleShare.id, message: 'Deleted' }] });

/** A page of a user's shares. */
export const ShareList = z
  .object({
    items: z.array(ShareSummary),
    total: z.int().meta({ description: 'The number of all your shares, of any status.' }),
    totalIsExact: z.boolean().meta({
      description: 'Whether this list has `total` shares; with `status`, it may have fewer.',
    }),
    page: z.int(),
    pageSize: z.int(),
    totalPages: z.int(),
    nextCursor: z.string().nullable(),
  })
  .meta({
    id: 'ShareList',
    examples: [examplePage(exampleShare).data],
  });

/** Figures of a user's newest shares. */
export const SharesSummary = z
  .object({
    total: z.int().meta({ description: 'The number of all your shares.' }),
    counted: z
      .int()
      .meta({ description: 'The number of newest shares that the other figures cover.' }),
    active: z.int().meta({ description: 'How many of them can be read.' }),
    expiringSoon: z.int().meta({ description: 'How many of these expire within seven days.' }),
    views: z.int().meta({ description: 'The sum of their views, ended ones included.' }),
  })
  .meta({
    id: 'SharesSummary',
    examples: [{ total: 24, counted: 24, active: 21, expiringSoon: 3, views: 1284 }],
  });

const withTitle = (share: StoredShare): StoredShare => {
  const title = getTitle(share);
  return title === undefined ? share : { ...share, title };
};

/** Whether the share shows files: what is left of one that had some doesn’t. */
export const hasShownFiles = ({ files }: Pick<StoredShare, 'files'>): boolean =>
  files !== undefined && (files.count > 1 || files.only === true);

const showTotals = (share: StoredShare): Pick<z.output<typeof ShareSummary>, 'fileTotals'> => {
  const { count = 0, bytes = 0 } = share.files ?? {};
  return hasShownFiles(share) ? { fileTotals: { count, bytes } } : {};
};

const showSealed = ({ sealed }: StoredShare): Partial<z.output<typeof ShareSummary>> =>
  sealed ? { sealed: true, sealedBytes: sealed.bytes, passphrase: sealed.passphrase } : {};

/** Converts a share to its list representation. */
export const toSummary = (found: FoundShare): z.output<typeof ShareSummary> => {
  const { share, access } = found;
  return {
    id: share.id,
    language: share.language,
    ...showOptions(withTitle(share)),
    audience: getAudience(share),
    submittedBy: share.from?.name ?? null,
    titleIsGiven: share.title !== undefined,
    views: access.views,
    viewsLeft: countViewsLeft(found),
    expiresAt: getExpiry(share) ?? null,
    createdAt: share.createdAt,
    updatedAt: share.updatedAt,
    version: share.version,
    status: getShareStatus(found),
    // A view that was taken back leaves its time.
    firstViewedAt: (access.views > 0 && access.firstViewedAt) || null,
    lastViewedAt: (access.views > 0 && access.lastViewedAt) || null,
    endedBy: findEndCause(found) ?? null,
    protected: hasPassword(share),
    url: getUrl(share.slug ?? share.id),
    ...showTotals(share),
    ...showSealed(share),
  };
};

/** Converts a share for moderators. Of one that isn't open to all, they learn neither who can open it nor what is in it. */
export const toModeratorSummary = (found: FoundShare): z.output<typeof ShareSummary> => {
  const { share } = found;
  const { contentTitle, readers, from: _, files, ...shown } = share;
  return {
    ...toSummary(isOpenToAll(share) ? found : { ...found, share: shown }),
    submittedBy: null,
  };
};

/** Converts the files of a share to their representation. */
export const showFiles = (
  share: Pick<StoredShare, 'files'>,
  manifest: OpenedShare['manifest'],
  prefix?: string,
): Pick<z.output<typeof Share>, 'files' | 'main' | 'filesUrl'> => {
  if (!manifest || !hasShownFiles(share)) return {};
  return {
    files: manifest.files.map(toShownFile),
    main: manifest.main,
    ...(prefix !== undefined && { filesUrl: `${getSetting('SNIPPETS_URL')}/${prefix}/` }),
  };
};

/** Converts a share with its content to its representation. */
export const toShare = (opened: OpenedShare): z.output<typeof Share> => ({
  ...toSummary(opened),
  content: opened.source,
  html: opened.html,
  ...showFiles(opened.share, opened.manifest, opened.filesPrefix),
});

/** Returns a share under the id of the recipient link that it was opened by, which is all that its reader learns. */
const asLinked = (share: StoredShare, link: string | undefined): StoredShare => {
  if (link === undefined) return share;
  const { slug, ...others } = share;
  return { ...others, id: link };
};

/** Converts a share for a reader, who doesn't learn when others viewed it, nor what its owner does. */
export const toReaderShare = (
  opened: OpenedShare,
  link: string | undefined,
): z.output<typeof Share> => {
  const share = asLinked(opened.share, link);
  return {
    ...toShare({ ...opened, share }),
    ...showReaderOptions(withTitle(share)),
    audience: getAudience(share),
    submittedBy: null,
    firstViewedAt: null,
    lastViewedAt: null,
    ...(share.sealed && { author: opened.author }),
  };
};
