import { signal } from '@preact/signals';
import type { Data } from '../../../../../browser/client/endpoints.ts';
import { toast } from '../../../../../browser/components/toast.tsx';
import { doUndoably } from '../../../../../browser/data/undoable.ts';
import {
  directory,
  type FoundPerson,
  isAddress,
  type PeopleSource,
} from '../../../../../browser/people/directory.ts';
import { type ListedShare, lacksKey, toKeptLink } from '../../../../../browser/sealed/kept-link.ts';
import { api } from '../../../../../browser/shell/api.ts';
import { drawerTexts } from '../../../drawer-texts.ts';

const texts = drawerTexts.outside;

/** Someone outside who has a link of their own. */
export type Recipient = Data<'GET /api/share/{id}/receipts'>['links'][number] & {
  readonly email: string;
};

/** How a link is passed on. */
export type Passing = 'send' | 'code';

/** Whether someone who was found has no account here: their address is their name. */
export const isOutside = ({ id }: FoundPerson): boolean => id < 0;

/** The ids of addresses: those of people are positive. */
const outsideIds = new Map<string, number>();

const toOutside = (address: string): FoundPerson => {
  const name = address.toLowerCase();
  const id = outsideIds.get(name) ?? -1 - outsideIds.size;
  outsideIds.set(name, id);
  return { id, name };
};

/** Creates a way to find people and to enter addresses of others; `members` can be left out. */
export const createSource = (withMembers: boolean): PeopleSource => {
  const members = withMembers ? directory : undefined;
  return {
    placeholder: members ? texts.placeholder : texts.address,
    hint: members?.hint ?? '',
    none: members ? texts.none : () => texts.nobody,
    isEnough: (text) => isAddress(text) || (members?.isEnough(text) ?? false),
    find: async (text) => {
      const found = members?.isEnough(text) ? await members.find(text) : [];
      const isKnown = found.some(
        ({ name, email = name }) => email.toLowerCase() === text.toLowerCase(),
      );
      return isAddress(text) && !isKnown ? [toOutside(text), ...found] : found;
    },
  };
};

/** The ids of links that are being removed. */
const removing = signal<ReadonlySet<string>>(new Set());

const setRemoving = (id: string, isRemoving: boolean): void => {
  const ids = new Set(removing.value);
  if (isRemoving) ids.add(id);
  else ids.delete(id);
  removing.value = ids;
};

/** Returns those who have a link of their own that wasn’t removed. */
export const listRecipients = (
  links: Data<'GET /api/share/{id}/receipts'>['links'],
): readonly Recipient[] =>
  links.filter(
    (link): link is Recipient =>
      link.email !== null && link.endedBy !== 'owner' && !removing.value.has(link.id),
  );

/** Creates a link for an address, and sends it if the service sends emails. That of a sealed share lacks its key, so it isn’t sent. */
export const addRecipient = (
  { id, sealed = false }: ListedShare,
  email: string,
  passing: Passing | undefined,
): Promise<unknown> =>
  api.call('POST /api/share/{id}/links', {
    params: { id },
    body: { email, send: passing !== undefined && !sealed, verify: passing === 'code' },
  });

/** Ends the link of someone, which can be undone for some seconds. */
export const removeRecipient = (shareId: string, { id, email }: Recipient): void => {
  setRemoving(id, true);
  const params = { id: shareId, linkId: id };
  doUndoably({
    text: drawerTexts.removed(email),
    commit: ({ keepalive }) => {
      setRemoving(id, true);
      return api.call('DELETE /api/share/{id}/links/{linkId}', { params, keepalive });
    },
    putBack: () => setRemoving(id, false),
    describeFailure: ({ message }) => drawerTexts.notRemoved(email, message),
  });
};

/** Says what was copied of a link: that of a sealed share may lack its key. */
const describeCopied = (share: ListedShare): string => {
  if (!share.sealed) return texts.copied;
  return lacksKey(share) ? texts.copiedWithoutKey : texts.copiedWhole;
};

/** Copies the address of a link. */
export const copyLink = async (share: ListedShare, { id }: Recipient): Promise<void> => {
  try {
    await navigator.clipboard.writeText(toKeptLink(share, `${location.origin}/s/${id}`));
    toast({ text: describeCopied(share) });
  } catch {
    toast({ text: texts.notCopied, kind: 'bad' });
  }
};

/** Sends a link again. */
export const sendAgain = async (shareId: string, { id, email }: Recipient): Promise<void> => {
  try {
    const params = { id: shareId, linkId: id };
    await api.call('POST /api/share/{id}/links/{linkId}/send', { params });
    toast({ text: texts.sentAgain(email) });
  } catch (error) {
    toast({ text: (error as Error).message, kind: 'bad' });
  }
};

/** Changes the address of a link, which is sent to it. */
export const fixAddress = (shareId: string, { id }: Recipient, email: string): Promise<unknown> =>
  api.call('PUT /api/share/{id}/links/{linkId}', {
    params: { id: shareId, linkId: id },
    body: { email },
  });
