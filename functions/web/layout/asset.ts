import manifest from '../assets/built/manifest.json' with { type: 'json' };

const { assets, chunks } = manifest;

/** The file name of a style sheet or script in a `browser` folder. */
type AssetName = keyof typeof assets;
export type StyleName = Extract<AssetName, `${string}.css`>;
export type ScriptName = Extract<AssetName, `${string}.js`>;

/** Returns the path of an asset. It contains a hash of the content. */
export const assetPath = (name: AssetName): string => assets[name].path;

/** Returns the paths of all scripts that a script imports when it loads. A page preloads them. */
export const chunkPaths = (name: ScriptName): readonly string[] =>
  assets[name].chunks.map((at) => `/assets/scripts/${chunks[at]}`);
