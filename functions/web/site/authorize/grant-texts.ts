import type { Permission } from '../../../../shared/permissions/permissions.ts';
import type { Scope } from '../../../../shared/permissions/scopes.ts';
import { sentences } from '../../../../shared/permissions/sentences.ts';

/** What an app can do, and the permissions and scopes that it takes. */
type Sentence = readonly [text: string, ...entries: (Permission | Scope)[]];

/** What several allow together, in the words of one sentence. */
const together: readonly Sentence[] = [
  ['Create and change your shares', 'shares:create', 'shares:update'],
  ['Create and change documents', 'documents:create', 'documents:update'],
  ['Upload and change files', 'files:create', 'files:update'],
  ['Create and change events and tasks', 'calendar:create', 'calendar:update'],
  ['Create and change users', 'users:create', 'users:update'],
  ['Record and change sales', 'sales:create', 'sales:update'],
];

/** What each permission and scope allows, in plain words. What belongs together comes first as one, then each alone. */
export const grantTexts: readonly Sentence[] = (
  Object.entries(sentences) as [Permission | Scope, string][]
).flatMap(([entry, text]) => [
  ...together.filter(([, first]) => first === entry),
  [text, entry] as const,
]);

/** What people want to know of that an app can’t do: the name, and the areas of permissions of which it has none. */
export const areaTexts: readonly (readonly [name: string, ...areas: string[]])[] = [
  ['shares', 'shares'],
  ['documents', 'documents'],
  ['messages', 'messages'],
  ['settings', 'settings', 'profile'],
];
