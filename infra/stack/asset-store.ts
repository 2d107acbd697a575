import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CustomResource, Duration } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { ApiFunction } from './api-function.ts';
import type { FilesBucket } from './files-bucket.ts';
import type { StackSettings } from './stack-settings.ts';

const assetsFile = join(import.meta.dirname, '../../functions/web/assets/built/files.json');

const timeoutSeconds = 60;

/**
 * The assets in the bucket, as a resource: each deployment with other assets stores them there, so that pages of this build
 * find them while it is being deployed, and those of former builds for 30 days. It goes back with a deployment that fails.
 */
export class AssetStore extends Construct {
  /** What pages wait for. */
  readonly stored: CustomResource;
  readonly #store: ApiFunction;

  constructor(scope: Construct, id: string, bucket: FilesBucket, settings: StackSettings) {
    super(scope, id);
    const config = { memoryMb: 512, timeoutSeconds };
    this.#store = new ApiFunction(this, 'Store', 'asset-store', config, settings);
    this.#store.set('FILES_BUCKET', bucket.bucketName);
    bucket.allow(this.#store.function, 'assets', ['GetObject', 'PutObject', 'DeleteObject']);
    this.stored = new CustomResource(this, 'Stored', {
      resourceType: 'Custom::Assets',
      serviceToken: this.#store.function.functionArn,
      // Otherwise an hour, if the function can't answer.
      serviceTimeout: Duration.seconds(2 * timeoutSeconds),
      properties: { build: createHash('sha256').update(readFileSync(assetsFile)).digest('hex') },
    });
    this.stored.node.addDependency(this.#store);
  }
}
