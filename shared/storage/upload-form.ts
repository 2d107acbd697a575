import { getSetting } from '../runtime/settings.ts';
import { loadBucket } from './bucket.ts';

/** A form that uploads one file: its fields in any order, then the part `file`. */
export interface UploadForm {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** The only upload that a form allows. */
export interface UploadConditions {
  readonly size: number;
  readonly contentType: string;
  /** SHA-256, in hex. */
  readonly checksum: string | undefined;
  /** In seconds. */
  readonly expiresIn: number;
}

/** Signs the form of an upload to a key, without a request to S3. */
export const signUpload = async (
  key: string,
  { size, contentType, checksum, expiresIn }: UploadConditions,
): Promise<UploadForm> => {
  const { s3, signer } = await loadBucket();
  return s3.createPresignedPost(signer, {
    Bucket: getSetting('FILES_BUCKET'),
    Key: key,
    Conditions: [['content-length-range', size, size]],
    Fields: {
      'Content-Type': contentType,
      success_action_status: '201',
      ...(checksum !== undefined && {
        'x-amz-checksum-algorithm': 'SHA256',
        'x-amz-checksum-sha256': Buffer.from(checksum, 'hex').toString('base64'),
      }),
    },
    Expires: expiresIn,
  });
};
