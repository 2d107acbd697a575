import manifest from '../assets/built/manifest.json' with { type: 'json' };

/** The file name of a style sheet or script in a `browser` folder. */
type AssetName = keyof typeof manifest;
export type StyleName = Extract<AssetName, `${string}.css`>;
export type ScriptName = Extract<AssetName, `${string}.js`>;

/** Returns the path of an asset. It contains a hash of the content. */
export const assetPath = (name: AssetName): string => manifest[name];
