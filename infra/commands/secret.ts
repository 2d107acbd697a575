import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type ClientSecrets, fetchClientSecrets } from '../../shared/runtime/provider-secrets.ts';
import {
  assertProviderSetting,
  type Provider,
  parseProviders,
  settingOf,
} from '../../shared/runtime/provider-settings.ts';
import { toVisibleLine } from '../../shared/text/visible.ts';
import { toValues } from '../stack/settings/choices.ts';
import { findNearest } from '../stack/settings/nearest-name.ts';
import { pickProviderValues } from '../stack/settings/provider-values.ts';
import { askHidden } from './ask-hidden.ts';
import {
  CommandError,
  chooseStage,
  parseCommand,
  print,
  run,
  stageOptions,
  stageUsage,
} from './command.ts';
import { describeRedirect } from './settings/new-providers.ts';
import { readRemembered } from './settings/remembered.ts';
import { readOutputs } from './stage-outputs.ts';

const usage = `Usage: npm run secret -- <provider> [--remove] [--stage <name>] [--region <region>]
       npm run secret -- --list
Stores the client secret of a provider that users sign in at, such as google. Asks for it without showing it, or reads it from a
pipe: npm run secret -- google < file
  --remove           removes it
  --list             lists the providers, and who has a secret; shows none
${stageUsage}`;

/** The secrets of a stage. */
interface Store {
  readonly stage: string;
  readonly url: string;
  readonly secretId: string;
  readonly providers: readonly Provider[];
}

/** @throws CommandError for a stage without providers: its secret doesn't exist */
const openStore = async (stage: string): Promise<Store> => {
  const { ServiceUrl: url, ProviderSecretsId: secretId } = await readOutputs(stage);
  if (secretId === undefined) {
    throw new CommandError(
      `Stage ${stage} has no providers. Deploy it with -c OIDC_GOOGLE_ISSUER=https://accounts.google.com -c OIDC_GOOGLE_CLIENT_ID=<id>, for instance.`,
    );
  }
  const { settings = {} } = (await readRemembered(stage)) ?? {};
  return {
    stage,
    url,
    secretId,
    providers: parseProviders(pickProviderValues(toValues(settings))),
  };
};

const write = async ({ secretId }: Store, secrets: ClientSecrets): Promise<void> => {
  const SecretString = JSON.stringify(Object.fromEntries(secrets));
  await new SecretsManagerClient({}).send(
    new PutSecretValueCommand({ SecretId: secretId, SecretString }),
  );
};

const list = async ({ secretId, providers, stage }: Store): Promise<void> => {
  const secrets = await fetchClientSecrets(secretId);
  for (const { name, issuer } of providers) {
    print(`${name}  ${secrets.has(name) ? 'secret stored' : 'no secret'}  ${issuer}`);
  }
  for (const name of secrets.keys()) {
    if (providers.some((provider) => provider.name === name)) continue;
    print(`${toVisibleLine(name)}  secret stored, but stage ${stage} has no such provider`);
  }
};

const remove = async (store: Store, name: string): Promise<void> => {
  const secrets = await fetchClientSecrets(store.secretId);
  if (!secrets.has(name)) {
    throw new CommandError(`Stage ${store.stage} has no secret of ${toVisibleLine(name)}.`);
  }
  await write(store, new Map([...secrets].filter(([other]) => other !== name)));
  print(`Removed. Stage ${store.stage} uses it for up to five minutes.`);
};

/** @throws CommandError that names the nearest provider */
const findProvider = ({ providers, stage }: Store, name: string): Provider => {
  const names = providers.map((provider) => provider.name);
  const found = providers.find((provider) => provider.name === name);
  if (found) return found;
  const nearest = findNearest(name, names);
  const hint = nearest === undefined ? `It has ${names.join(', ')}.` : `Did you mean ${nearest}?`;
  throw new CommandError(`Stage ${stage} has no provider ${toVisibleLine(name)}. ${hint}`);
};

const store = async (to: Store, name: string, ask: typeof askHidden): Promise<void> => {
  const provider = findProvider(to, name);
  print(describeRedirect(provider, to.url));
  const secret = await ask(`Client secret of ${provider.label}: `);
  assertProviderSetting(settingOf(name.toUpperCase(), 'CLIENT_SECRET'), secret);
  await write(to, new Map([...(await fetchClientSecrets(to.secretId)), [name, secret]]));
  print(`Stored. Stage ${to.stage} uses it within five minutes.`);
};

/** Runs `npm run secret -- <provider> [--remove] | --list [--stage <name>] [--region <region>]`. */
export const secret = async (args: readonly string[], ask = askHidden): Promise<void> => {
  const { values, positionals } = parseCommand(usage, {
    args,
    allowPositionals: true,
    options: { ...stageOptions, remove: { type: 'boolean' }, list: { type: 'boolean' } },
  });
  const [name, ...others] = positionals;
  if (others.length > 0 || (name === undefined) !== (values.list ?? false)) {
    throw new CommandError(usage);
  }
  const opened = await openStore(chooseStage(values));
  if (name === undefined) await list(opened);
  else if (values.remove) await remove(opened, name.toLowerCase());
  else await store(opened, name.toLowerCase(), ask);
};

if (import.meta.main) await run(secret);
