import { globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** Imports go down: each folder imports itself and those before it. Within `functions`, `edges` says more. */
export const areas = ['shared', 'functions', 'infra'] as const;

/** The rooms of `shared`, lowest first. A room imports itself and rooms of lower levels; `shared/README.md` shows them. */
export const sharedLevels = [
  ['permissions', 'sealed', 'text'],
  ['runtime', 'share-files'],
  ['db', 'input', 'mail', 'markdown', 'outbound'],
  ['auth', 'counters', 'lists', 'spending'],
  ['schedule'],
  ['audit', 'jobs', 'storage', 'users'],
  ['http', 'notifications', 'webhooks'],
  ['activity', 'exports', 'records', 'revisions'],
] as const;

/** The rooms of the large groups of `api`, lowest first. Files beside them import them, never the reverse. */
export const groupLevels = [
  ['factors', 'import', 'protocol', 'recurrence'],
  ['door', 'passkeys', 'record', 'tokens', 'tools'],
  ['exports', 'files', 'identities'],
  ['account', 'clients', 'events', 'feed', 'reading', 'reminders', 'requests', 'uploads'],
  ['codes', 'methods', 'received'],
  ['delivering', 'ending', 'listing'],
  ['changing'],
  ['intake', 'links', 'moderation', 'revisions'],
  ['receipts'],
] as const;

/** The local engines, which know nothing of the service. */
const island = 'infra/local/aws/';

/** A group, or folder of one, that imports files of another. */
export interface Edge {
  readonly from: string;
  readonly to: string;
  /** Paths below `to`, if not all of it. */
  readonly files?: readonly string[];
  readonly why: string;
}

/** All edges between groups, which are the folders of `api`, `web` and `jobs`. All others are forbidden. */
export const edges: readonly Edge[] = [
  {
    from: 'api/auth',
    to: 'api/users',
    files: [
      'account/link-token.ts',
      'account/password-link.ts',
      'account/sign-in-code.ts',
      'account/sign-in-places.ts',
      'account/verification.ts',
      'grants.ts',
      'input.ts',
      'limits.ts',
      'record/allowed-domains.ts',
      'record/email-change.ts',
      'record/end-factors.ts',
      'record/first-proof.ts',
      'record/jobs.ts',
      'record/security-alert.ts',
      'record/user-index.ts',
      'record/user-writes.ts',
      'record/users.ts',
    ],
    why: 'signs in to accounts, makes the first ones and alerts their owners',
  },
  { from: 'api/mcp', to: 'api/share', files: ['routes.ts'], why: 'calls their routes as tools' },
  {
    from: 'api/mcp',
    to: 'api/documents',
    files: ['routes.ts'],
    why: 'calls their routes as tools',
  },
  {
    from: 'api/mcp',
    to: 'api/markdown',
    files: ['routes.ts'],
    why: 'calls their routes as tools',
  },
  {
    from: 'api/apps',
    to: 'api/users',
    files: ['record/security-alert.ts', 'limits.ts'],
    why: 'alerts owners of what they allow, and grants nothing they lack',
  },
  {
    from: 'api/apps',
    to: 'api/auth',
    files: ['schemas.ts', 'tokens/powerful-tokens.ts'],
    why: 'allows an app by the rules of API tokens',
  },
  {
    from: 'api/apps',
    to: 'api/share',
    files: ['record/keys.ts'],
    why: 'says how many shares an app created today',
  },
  {
    from: 'api/webhooks',
    to: 'api/users',
    files: ['record/security-alert.ts'],
    why: 'alerts owners of new webhooks',
  },
  {
    from: 'api/share',
    to: 'api/users',
    files: ['record/keys.ts'],
    why: 'names readers by email address',
  },
  {
    from: 'api/share',
    to: 'api/files',
    files: ['record/file.ts', 'record/keys.ts'],
    why: 'shares copies of stored files',
  },
  {
    from: 'api/notifications',
    to: 'api/messages',
    files: ['mailbox.ts'],
    why: 'receives first what is on its way, and counts it',
  },
  {
    from: 'api/notifications',
    to: 'api/calendar',
    files: ['record/keys.ts'],
    why: 'says whether a calendar changed',
  },
  {
    from: 'api/messages',
    to: 'api/files',
    files: ['record/file.ts', 'record/keys.ts', 'schemas.ts', 'uploads/signed-download.ts'],
    why: 'attaches files, which readers of a message download',
  },
  {
    from: 'api/dashboard',
    to: 'api/users',
    files: ['record/counters.ts'],
    why: 'shows totals',
  },
  { from: 'api/dashboard', to: 'api/sales', files: ['statistics.ts'], why: 'shows totals' },
  {
    from: 'api/dashboard',
    to: 'api/calendar',
    files: [
      'events/tasks.ts',
      'events/window.ts',
      'record/event.ts',
      'record/open-tasks.ts',
      'schemas.ts',
    ],
    why: 'shows what is next',
  },
  {
    from: 'exports',
    to: 'api/users',
    files: ['export.ts', 'list-query.ts'],
    why: 'makes files of lists',
  },
  {
    from: 'exports',
    to: 'api/sales',
    files: ['export.ts', 'list-query.ts'],
    why: 'makes files of lists',
  },
  {
    from: 'exports',
    to: 'api/audit',
    files: ['export.ts', 'list-query.ts'],
    why: 'makes files of lists',
  },
  {
    from: 'exports',
    to: 'api/share',
    files: ['export.ts', 'export-query.ts'],
    why: 'makes files of lists',
  },
  { from: 'web/*', to: 'web/layout', why: 'pages have one look' },
  { from: 'web/*', to: 'web/browser', why: 'pages share browser code' },
  {
    from: 'web/layout',
    to: 'web/assets',
    files: ['built/manifest.json'],
    why: 'pages name assets by their hash',
  },
  {
    from: 'web/site',
    to: 'api/checkin',
    files: ['checkin.ts', 'keys.ts'],
    why: 'shows whether the user has checked in today',
  },
  {
    from: 'web/site',
    to: 'api/auth',
    files: ['passkeys/relying-party.ts'],
    why: 'offers passkeys where the service can have them',
  },
  {
    from: 'web/site',
    to: 'api/users',
    files: ['account/link-token.ts', 'import/file.ts'],
    why: 'shows what a verification link is for, and reads files of users as the API does',
  },
  {
    from: 'web/site',
    to: 'api/share',
    files: ['record/options.ts', 'record/slug-pattern.ts', 'intake/waiting.ts'],
    why: 'has a form of the options of a share, and tells moderators what waits for them',
  },
  {
    from: 'api/notifications',
    to: 'api/share',
    files: ['intake/waiting.ts'],
    why: 'tells moderators what waits for them',
  },
  {
    from: 'web/site',
    to: 'api/sales',
    files: ['money.ts', 'import-file.ts', 'text-fields.ts'],
    why: 'checks amounts and texts and reads files as the API and the command do',
  },
  {
    from: 'web/password',
    to: 'api/auth',
    files: [
      'factors/limits.ts',
      'factors/second-step.ts',
      'factors/trusted-device.ts',
      'second-step-sign-in.ts',
      'sessions.ts',
      'sign-in.ts',
    ],
    why: 'signs in who has set a password by a link, with their second factor',
  },
  {
    from: 'web/password',
    to: 'api/users',
    files: ['account/email-undo.ts', 'account/password-link.ts', 'account/security-texts.ts'],
    why: 'serves the links that mails carry',
  },
  {
    from: 'web/provider-sign-in',
    to: 'api/auth',
    files: [
      'factors/trusted-device.ts',
      'identities/connect-identity.ts',
      'identities/identity.ts',
      'sessions.ts',
      'sign-in-by-identity.ts',
    ],
    why: 'signs in whom a provider has signed in',
  },
  {
    from: 'web/provider-sign-in',
    to: 'web/password',
    files: ['reply.ts', 'second-factor-route.ts'],
    why: 'asks for the second factor by the same page',
  },
  {
    from: 'web/share-page',
    to: 'api/share',
    // Neither `reading/load.ts` nor `reading/texts.ts`: readers get a share by its admission only.
    files: [
      'codes/asking.ts',
      'codes/proofs-cookie.ts',
      'codes/prove.ts',
      'codes/send.ts',
      'ending/close.ts',
      'files/manifest.ts',
      'moderation/moderation.ts',
      'reading/access.ts',
      'reading/admission.ts',
      'reading/end-token.ts',
      'reading/files.ts',
      'reading/form-views.ts',
      'reading/open.ts',
      'reading/share-events.ts',
      'reading/view-request.ts',
      'record/audience.ts',
      'record/links.ts',
      'record/revisions.ts',
      'record/sealed.ts',
      'record/share.ts',
      'record/slug-pattern.ts',
      'record/view-ids.ts',
      'requests/limits.ts',
      'requests/request-fields.ts',
      'revisions/revisions.ts',
    ],
    why: 'shows a share without an account',
  },
  {
    from: 'web/request-page',
    to: 'api/share',
    files: [
      'intake/content.ts',
      'intake/reports.ts',
      'intake/request.ts',
      'intake/routes.ts',
      'intake/submit.ts',
      'intake/visit.ts',
      'requests/limits.ts',
      'requests/request-fields.ts',
    ],
    why: 'takes what people without an account hand in, and has the routes of their requests',
  },
  {
    from: 'web/snippet',
    to: 'api/share',
    files: ['files/manifest.ts', 'reading/admission.ts', 'reading/files.ts'],
    why: 'serves what a share holds',
  },
  {
    from: 'web/fallback',
    to: 'web/snippet',
    files: ['left-page.ts'],
    why: 'answers for addresses of that host',
  },
  {
    from: 'exports',
    to: 'api/users',
    files: ['exports/jobs.ts'],
    why: 'tells users by email what became of their exports',
  },
  { from: 'jobs', to: 'jobs/sweeps', files: ['sweep.ts'], why: 'runs every minute' },
  {
    from: 'jobs/sweeps',
    to: 'jobs/spending',
    files: ['limit.ts'],
    why: 'compares what the month has cost with the limit, every minute',
  },
  {
    from: 'jobs/sweeps',
    to: 'jobs/audit-events',
    files: ['tail.ts'],
    why: 'tells what is new in the audit, every minute',
  },
  {
    from: 'jobs/spending',
    to: 'api/users',
    files: ['record/keys.ts'],
    why: 'tells super_admins of the spending limit',
  },
  {
    from: 'jobs/sweeps',
    to: 'jobs/retention',
    files: ['retention.ts'],
    why: 'deletes what is kept no longer',
  },
  {
    from: 'jobs/retention',
    to: 'api/share',
    files: ['ending/expiry.ts', 'record/keys.ts', 'record/share.ts'],
    why: 'deletes the content of shares whose age has ended',
  },
  {
    from: 'jobs/retention',
    to: 'api/messages',
    files: ['keys.ts', 'mailbox.ts', 'messages.ts'],
    why: 'deletes old messages as their users would',
  },
  {
    from: 'jobs/retention',
    to: 'api/users',
    files: ['record/keys.ts'],
    why: 'goes through all users',
  },
  {
    from: 'jobs/activity',
    to: 'api/share',
    files: ['record/view-ids.ts', 'record/views.ts'],
    why: 'counts the views of shares',
  },
];

/** A list imports the declarations in files of one name, and their types. Only its readers import it. */
export interface List {
  readonly collects: string;
  readonly types: readonly string[];
  readonly readers: readonly string[];
}

export const lists: Readonly<Record<string, List>> = {
  'functions/routes.ts': {
    collects: 'routes.ts',
    types: ['shared/http/host.ts', 'shared/http/route.ts'],
    readers: ['infra/'],
  },
  'functions/api/owned-records.ts': {
    collects: 'owned.ts',
    types: ['shared/users/owned-records.ts'],
    readers: ['functions/api/users/reconcile.ts', 'functions/api/users/owned-counts.ts'],
  },
  'functions/jobs/registry.ts': {
    collects: 'work.ts',
    types: ['shared/jobs/job-type.ts'],
    readers: ['functions/jobs/consume.ts'],
  },
  'functions/jobs/sweeps/scheduled.ts': {
    collects: 'scheduled.ts',
    types: ['shared/schedule/scheduled-work.ts'],
    readers: ['functions/jobs/sweeps/'],
  },
  'functions/exports/sections.ts': {
    collects: 'archive.ts',
    types: ['shared/exports/archive-entry.ts'],
    readers: ['functions/exports/'],
  },
  'functions/jobs/recount/counters.ts': {
    collects: 'counters.ts',
    types: ['shared/counters/counter.ts'],
    readers: ['functions/jobs/recount/'],
  },
};

/** Maximum number of files in a room, which has one subject. */
export const maxFilesInRoom = 24;

/** Files outside rooms: the start of the stack and the lists. */
const outsideRooms = ['infra/app.ts', 'tests/vitest.config.ts', ...Object.keys(lists)];

type Imports = ReadonlyMap<string, readonly string[]>;

const find = (pattern: string): string[] =>
  globSync(pattern, { cwd: root, exclude: ['**/node_modules', '**/built', '**/cdk.out'] });

/** Reads the paths of all code. */
export const readFiles = (): string[] =>
  find('{functions,shared,infra,tests}/**/*.{ts,tsx,js,mjs,css}');

const specifiers = /(?:\bfrom\s+|\bimport\s*\(?\s*)'(\.{1,2}\/[^']+)'/g;

/** Reads which files each file of the product imports, types and dynamic imports included. */
export const readImports = (): Map<string, string[]> =>
  new Map(
    find('{functions,shared,infra}/**/*.{ts,tsx,js}').map((file) => [
      file,
      [...readFileSync(join(root, file), 'utf8').matchAll(specifiers)].map(([, path = '']) =>
        posix.join(dirname(file), path),
      ),
    ]),
  );

const levelOf = (levels: readonly (readonly string[])[], room: string): number =>
  levels.findIndex((rooms) => rooms.includes(room));

/** Returns the group of a file of `functions`: `api/users`, `web/site`, `jobs`, `jobs/recount`. */
const groupOf = (file: string): string => {
  const [, area = '', name = '', ...rest] = file.split('/');
  return ['jobs', 'exports'].includes(area) && rest.length === 0 ? area : `${area}/${name}`;
};

/** Returns the room of a file within its group; `undefined` for a file beside the rooms. */
const roomOf = (file: string): string | undefined => {
  const [, , , room = '', ...rest] = file.split('/');
  return rest.length > 0 ? room : undefined;
};

const isWithin = (file: string, folder: string): boolean =>
  file.startsWith(`functions/${folder.replace(/\*$/, '')}${folder.endsWith('*') ? '' : '/'}`);

const isOf = ({ from, to, files }: Edge, importer: string, imported: string): boolean =>
  isWithin(importer, from) &&
  isWithin(imported, to) &&
  (files?.some((file) => imported === `functions/${to}/${file}`) ?? true);

const problemInShared = (from: string, to: string): string | undefined => {
  const [room = '', other = ''] = [from, to].map((file) => file.split('/')[1]);
  const [level, otherLevel] = [levelOf(sharedLevels, room), levelOf(sharedLevels, other)];
  if (level < 0 || otherLevel < 0) return 'the room has no level';
  return room === other || otherLevel < level ? undefined : 'the room is not of a lower level';
};

const problemInGroup = (from: string, to: string): string | undefined => {
  const [room, other] = [roomOf(from), roomOf(to)];
  if (room === undefined || room === other) return undefined;
  if (groupOf(from) === 'web/site') return other ? 'a page imports no other page' : undefined;
  if (!from.startsWith('functions/api/')) return undefined;
  if (other === undefined) return 'a room imports nothing beside the rooms';
  const [level, otherLevel] = [levelOf(groupLevels, room), levelOf(groupLevels, other)];
  if (level < 0 || otherLevel < 0) return 'the room has no level';
  return otherLevel < level ? undefined : 'the room is not of a lower level';
};

/** Returns why an import is forbidden; `undefined` if it is allowed. */
const problemOf = (from: string, to: string): string | undefined => {
  const [area, other] = [from, to].map((file) =>
    areas.findIndex((name) => file.startsWith(`${name}/`)),
  ) as [number, number];
  if (other > area) return 'imports go down only';
  if (from.startsWith(island) && !to.startsWith(island)) return 'the engines stand alone';
  const [own, imported] = [lists[from], lists[to]];
  if (own) {
    const isDeclared = own.types.includes(to) || to.endsWith(`/${own.collects}`);
    return isDeclared ? undefined : 'a list imports declarations only';
  }
  if (imported) {
    const isReader = imported.readers.some((reader) => from.startsWith(reader));
    return isReader ? undefined : 'the list is not for this file';
  }
  if (from.startsWith('shared/')) return problemInShared(from, to);
  if (!from.startsWith('functions/') || !to.startsWith('functions/')) return undefined;
  const [group, otherGroup] = [groupOf(from), groupOf(to)];
  if (group === otherGroup) return problemInGroup(from, to);
  return edges.some((edge) => isOf(edge, from, to))
    ? undefined
    : `${group} may not import this of ${otherGroup}`;
};

const pairsOf = (imports: Imports): (readonly [from: string, to: string])[] =>
  [...imports].flatMap(([from, all]) => all.map((to) => [from, to] as const));

/** Returns every import that the layout forbids, with the reason. */
export const forbiddenImports = (imports: Imports): string[] =>
  pairsOf(imports).flatMap(([from, to]) => {
    const problem = problemOf(from, to);
    return problem === undefined ? [] : [`${from} → ${to}: ${problem}`];
  });

/** Returns the groups that import each other, directly or through others, each circle as its groups in order. */
export const circles = (imports: Imports): string[] => {
  const reached = new Map<string, Set<string>>();
  for (const [from, to] of pairsOf(imports)) {
    if (lists[from] || !from.startsWith('functions/') || !to.startsWith('functions/')) continue;
    const [group, other] = [groupOf(from), groupOf(to)];
    if (group !== other) reached.set(group, (reached.get(group) ?? new Set()).add(other));
  }
  // A set that grows while it is read is read to its end, so each group gets all that it reaches.
  for (const groups of reached.values()) {
    for (const group of groups) for (const next of reached.get(group) ?? []) groups.add(next);
  }
  const isCircular = (one: string, other: string) =>
    reached.get(one)?.has(other) === true && reached.get(other)?.has(one) === true;
  const all = [...reached.keys()].toSorted();
  return all
    .map((one) => all.filter((other) => isCircular(one, other)))
    .filter((circle) => circle.length > 0)
    .map((circle) => circle.join(' ↔ '))
    .filter((circle, at, found) => found.indexOf(circle) === at);
};

/** Returns every edge, with its file, that no import uses. */
export const unusedEdges = (imports: Imports): string[] => {
  const pairs = pairsOf(imports);
  return edges
    .flatMap((edge) => (edge.files ?? [undefined]).map((file) => ({ edge, file })))
    .filter(
      ({ edge, file }) =>
        !pairs.some(([from, to]) => isOf({ ...edge, ...(file && { files: [file] }) }, from, to)),
    )
    .map(({ edge: { from, to }, file }) => [`${from} → ${to}`, file].filter(Boolean).join('/'));
};

/** Returns every declaration that no file imports. */
export const uncollected = (imports: Imports): string[] => {
  const imported = new Set(pairsOf(imports).map(([, to]) => to));
  const names = Object.values(lists).map(({ collects }) => `/${collects}`);
  return [...imports.keys()].filter(
    (file) =>
      file.startsWith('functions/') &&
      names.some((name) => file.endsWith(name)) &&
      !lists[file] &&
      !imported.has(file),
  );
};

/** Returns every folder with more than the maximum number of files. */
export const crowdedRooms = (files: readonly string[]): string[] =>
  [...Map.groupBy(files, dirname)]
    .filter(([, inside]) => inside.length > maxFilesInRoom)
    .map(([room, inside]) => `${room}: ${inside.length}`);

const isInRoom = (file: string): boolean => {
  const [area = '', part = '', ...rest] = file.split('/');
  if (area !== 'functions') return rest.length > 0;
  return ['jobs', 'exports'].includes(part) ? rest.length > 0 : rest.length > 1;
};

/** Returns every file outside a room. */
export const flatFiles = (files: readonly string[]): string[] =>
  files.filter((file) => !isInRoom(file) && !outsideRooms.includes(file));
