import { settingsTexts as texts } from '../../texts.ts';
import type { Configuration } from './state.ts';

/** Says of each provider that users sign in at who it is, and what it has to know of this service. */
export const Providers = ({ list }: { readonly list: Configuration['providers'] }) =>
  list.map(({ name, label, issuer, redirectUrl }) => (
    <span key={name} class="tiny mute blk">
      {texts.addresses(label, issuer, redirectUrl)}
    </span>
  ));
