import manifest from '../assets/built/manifest.json' with { type: 'json' };

/** The name of a style sheet or a script, as it lies in a group's `browser` folder. */
type AssetName = keyof typeof manifest;
export type StyleName = Extract<AssetName, `${string}.css`>;
export type ScriptName = Extract<AssetName, `${string}.js`>;

/** The path of an asset on the service's host; what is there never changes. */
export const assetPath = (name: AssetName): string => manifest[name];
