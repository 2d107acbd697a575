/** The classes of the providers' signs, by the providers' names; empty for one without a sign that people know. */
const logos: ReadonlyMap<string, string> = new Map(
  Object.entries(JSON.parse(document.getElementById('account')?.dataset['providers'] ?? '{}')),
);

/** Returns whether users can sign in at providers. */
export const hasProviders = (): boolean => logos.size > 0;

/** Returns the class of a provider's sign; `undefined` for one without a sign that people know. */
export const getLogoClass = (provider: string): string | undefined =>
  logos.get(provider) || undefined;
