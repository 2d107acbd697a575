// What only moderators see of a share, loaded with the first one that they look at.
import type * as z from 'zod';
import { readUsers } from '../../../../shared/users/person.ts';
import { admitEditor } from '../reading/admission.ts';
import { issueOwnFilesPrefix } from '../reading/open.ts';
import { isOpenToAll } from '../record/audience.ts';
import { getOwnerName } from '../record/author.ts';
import {
  type FoundShare,
  getShareStatus,
  type OpenedShare,
  type StoredShare,
} from '../record/share.ts';
import { type Share, toShare } from '../requests/schemas.ts';
import { toManaged } from './managed-share.ts';
import {
  areAllListed,
  type Decision,
  listDecisions,
  listReports,
  type Report,
} from './moderation.ts';

/** What moderators see of a share besides its fields. */
interface Moderation {
  readonly reports: readonly Report[];
  readonly decisions: readonly Decision[];
}

const readModeration = async (id: string): Promise<Moderation> => {
  const [reports, decisions] = await Promise.all([listReports(id), listDecisions(id)]);
  return { reports, decisions };
};

/** Names the owner, the reporters and the moderators of a share. */
const withNames = async ({ ownerId }: StoredShare, { reports, decisions }: Moderation) => {
  const all = [...reports, ...decisions];
  const users = await readUsers([ownerId, ...all.flatMap(({ userId }) => userId ?? [])]);
  const named = <One extends Report | Decision>({
    userId,
    userName: formerName,
    ...rest
  }: One) => ({
    ...rest,
    userId: userId ?? null,
    userName: (userId === undefined ? undefined : users.get(userId)?.name) ?? formerName ?? null,
  });
  return {
    ownerName: getOwnerName({ ownerId }, users),
    reportList: reports.map(named),
    decisions: decisions.map((one) => ({ ...named(one), reason: one.reason ?? null })),
  };
};

/** Reads the owner's name, the reports and the decisions of a share in their API representation. */
export const readNamed = async (share: StoredShare) =>
  withNames(share, await readModeration(share.id));

const toContent = ({ content, html, files, main, filesUrl }: z.output<typeof Share>) => ({
  content,
  html,
  files,
  main,
  filesUrl,
});

/** Adds where the files can be read, of a share that anyone can open. Of others, moderators only see the list. */
const withFiles = async (opened: OpenedShare): Promise<OpenedShare> => {
  const isReadable = isOpenToAll(opened.share) && getShareStatus(opened) === 'active';
  if (!isReadable) return opened;
  return { ...opened, filesPrefix: await issueOwnFilesPrefix(opened.share) };
};

/**
 * Whether moderators see the content: of a share that isn't open to all, only what one of its readers has reported, and of a sealed
 * one nothing.
 */
const isShownToModerators = (share: StoredShare): boolean =>
  share.texts !== undefined &&
  share.sealed === undefined &&
  (isOpenToAll(share) || share.texts.id === share.reportedTexts);

/** Reads a share for moderators, whatever its status. Content that is deleted, or not for them, is omitted. */
const readShare = async (id: string): Promise<FoundShare | OpenedShare> => {
  // Naming the owner refuses the shares of a removed one.
  const found = await admitEditor(id, () => undefined);
  if (!isShownToModerators(found.share)) return found;
  const opened = await found.readContent();
  // Another content may have replaced the reported one while it was read.
  return isShownToModerators(opened.share)
    ? withFiles(opened)
    : { share: opened.share, access: opened.access };
};

/** Reads a share with its content, reports and decisions in their API representation. @throws AppError NOT_FOUND */
export const readDetail = async (id: string) => {
  const [found, listed] = await Promise.all([readShare(id), readModeration(id)]);
  // The version includes the reports, so all of them must be listed before a decision closes them.
  const isWhole = areAllListed(found.share, listed.reports);
  const named = await withNames(
    found.share,
    isWhole ? listed : { ...listed, reports: await listReports(id) },
  );
  return {
    ...toManaged({ ...found, ownerName: named.ownerName }),
    content: null,
    ...('source' in found && toContent(toShare(found))),
    ...named,
  };
};
