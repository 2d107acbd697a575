import manifest from '../assets/built/manifest.json' with { type: 'json' };

/** The file name of a style sheet or script in a `browser` folder. */
type AssetName = keyof typeof manifest;
export type StyleName = Extract<AssetName, `${string}.css`>;
export type ScriptName = Extract<AssetName, `${string}.js`>;

/** Returns the path of an asset. It contains a hash of the content. */
export const assetPath = (name: AssetName): string => manifest[name].path;

/** Returns the paths of all scripts that a script imports when it loads. A page preloads them. */
export const chunkPaths = (name: ScriptName): readonly string[] =>
  manifest[name].chunks.map((file) => `/assets/scripts/${file}`);
