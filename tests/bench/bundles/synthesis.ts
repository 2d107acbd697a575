import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const root = join(import.meta.dirname, '../../..');
const describing = /^Handbill: (\S+)$/;

/** A stack's template, and the manifest of what is uploaded for it, as far as they are read here. */
interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
}
interface Resource {
  readonly Type: string;
  readonly Properties?: {
    readonly Description?: string;
    readonly Code?: { readonly S3Key?: string };
  };
}
interface AssetsManifest {
  readonly files: Readonly<Record<string, { readonly source: { readonly path: string } }>>;
}
interface CloudAssembly {
  readonly artifacts: Readonly<
    Record<string, { readonly type: string; readonly properties?: { templateFile?: string } }>
  >;
}

const readJson = async <T>(...path: string[]): Promise<T> =>
  JSON.parse(await readFile(join(...path), 'utf8'));

/** The folder of the function's code, by the name that the manifest has for the uploaded file. */
const assetFolder = ({ files }: AssetsManifest, resource: Resource): string | undefined => {
  const key = resource.Properties?.Code?.S3Key ?? '';
  return files[key.replace(/\.zip$/, '')]?.source.path;
};

/**
 * Synthesises the stack into a folder, as a deployment does; answers each function's bundle by the function's name.
 * Functions of the same name share a bundle.
 * @throws Error when the synthesis fails, or when a function has no name or no bundle
 */
export const synthesise = async (outdir: string): Promise<Map<string, string>> => {
  const args = ['--no-install', 'cdk', 'synth', '--quiet', '--output', outdir];
  await run('npx', args, { cwd: root, maxBuffer: 2 ** 26 });
  const { artifacts } = await readJson<CloudAssembly>(outdir, 'manifest.json');
  const bundles = new Map<string, string>();
  for (const [stack, { type, properties }] of Object.entries(artifacts)) {
    if (type !== 'aws:cloudformation:stack') continue;
    const templateFile = properties?.templateFile ?? `${stack}.template.json`;
    const { Resources } = await readJson<Template>(outdir, templateFile);
    const manifest = await readJson<AssetsManifest>(outdir, `${stack}.assets.json`);
    for (const [id, resource] of Object.entries(Resources)) {
      if (resource.Type !== 'AWS::Lambda::Function') continue;
      const name = resource.Properties?.Description?.match(describing)?.[1];
      const folder = assetFolder(manifest, resource);
      if (!name || !folder) throw new Error(`Function ${id} has no group or no bundle`);
      bundles.set(name, join(outdir, folder, 'index.js'));
    }
  }
  if (bundles.size === 0) throw new Error('The stack has no functions');
  return bundles;
};
