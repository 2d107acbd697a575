import { type Provider, parseProviders } from '../../../shared/runtime/provider-settings.ts';
import { listProviderNames, type ProviderValues } from '../../stack/settings/provider-values.ts';

/** Says which address a provider has to know, before it sends anyone back. */
export const describeRedirect = ({ label, name }: Provider, url: string): string =>
  `Register this redirect address at ${label}: ${url}/login/${name}/callback`;

/** Says what is left to do for each provider that a stage had no settings of before. */
export const describeNewProviders = (
  before: ProviderValues,
  after: ProviderValues,
  { stage, url }: { readonly stage: string; readonly url: string },
): string[] => {
  const former = listProviderNames(before);
  const ofStage = stage === 'prod' ? '' : ` --stage ${stage}`;
  return parseProviders(after)
    .filter(({ name }) => !former.includes(name))
    .flatMap((provider) => [
      describeRedirect(provider, url),
      `Then store the client secret that it shows: npm run secret -- ${provider.name}${ofStage}`,
    ]);
};
