/** Most specific first: Edge also claims to be Chrome. */
const programs: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPad\b/, 'iPad'],
  [/\biPhone\b/, 'iPhone'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Longer user agents take time to search and add nothing. */
const maxCharacters = 256;

/** Names browser and system of a user agent, such as "Chrome on Linux", or returns `undefined` if both are unknown. */
export const getDeviceFamily = (userAgent: string): string | undefined => {
  const text = userAgent.slice(0, maxCharacters);
  const program = programs.find(([pattern]) => pattern.test(text))?.[1];
  const system = systems.find(([pattern]) => pattern.test(text))?.[1];
  return program && system ? `${program} on ${system}` : (program ?? system);
};

/** Returns the field of an audit entry that says on what kind of device someone signs in; nothing if that is unknown. */
export const describeDevice = ({
  userAgent = '',
}: {
  readonly userAgent?: string | undefined;
}): { readonly device?: string } => {
  const device = getDeviceFamily(userAgent);
  return device === undefined ? {} : { device };
};
