import { getSetting } from '../../../../shared/runtime/settings.ts';

/**
 * Returns the URL that upload forms are posted to, as the S3 client builds it. The page needs neither that client nor
 * access to the bucket.
 */
export const uploadUrl = (): string => {
  const name = getSetting('FILES_BUCKET');
  const endpoint = process.env['FILES_URL'] || process.env['AWS_ENDPOINT_URL_S3'];
  // A custom endpoint uses path-style URLs.
  if (endpoint) return `${endpoint.replace(/\/$/, '')}/${name}`;
  const region = process.env['AWS_REGION'] ?? '';
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  return `https://${name}.s3.${region}.${domain}/`;
};
