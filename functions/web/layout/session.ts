import type { Audience } from '../../../shared/permissions/audiences.ts';
import { Html, html } from '../../../shared/text/html.ts';
import type { CountName } from './counts.ts';

/** Who a page is for, as its script knows it. */
export interface SignedIn {
  readonly state: 'signed-in';
  readonly user: {
    readonly id: number;
    readonly name: string;
    readonly email: string;
    readonly role: string;
    /** The name of the role as text for people. */
    readonly roleLabel: string;
    readonly timezone: string | null;
    readonly avatar: string | null;
    /** When the account was created (ISO 8601). */
    readonly createdAt: string;
  };
  /** Effective permissions. */
  readonly permissions: readonly string[];
  /** How the user finds others: by name and address, by a whole address, or not at all. */
  readonly directory: 'members' | 'exact' | 'off';
  /** Who opens the user's shares by default and at most, and whether members can be chosen (decisions.md#audience). */
  readonly audience: {
    readonly default: Audience;
    readonly max: Audience;
    readonly membersKnown: boolean;
  };
  /** When a share ends at the latest after its creation, in seconds; `null`: its owner decides. */
  readonly maxShareSeconds: number | null;
  /** Whether the service sends emails. */
  readonly sendsMail: boolean;
  /** Whether the user has a password that signs in. */
  readonly hasPassword: boolean;
  /** Whether users can sign in at a provider or by email. */
  readonly hasOtherWays: boolean;
  readonly counts: Readonly<Record<CountName, number>>;
  readonly checkin: {
    readonly checkedIn: boolean;
    readonly streak: number;
    readonly totalPoints: number;
  };
}

/**
 * The session that a page was rendered for. `unknown`: the browser came from another site, where it sends no strict
 * cookie, so only a script can tell.
 */
export type PageSession = SignedIn | { readonly state: 'signed-out' | 'unknown' };

/** The id of the element with the session as JSON. */
export const sessionId = 'session';

/** Renders the session as a data block, which no browser runs. `<` is escaped, so no name can end the block. */
export const sessionData = (session: PageSession): Html =>
  html`<script type="application/json" id="${sessionId}">${new Html(JSON.stringify(session).replaceAll('<', '\\u003c'))}</script>\n`;
