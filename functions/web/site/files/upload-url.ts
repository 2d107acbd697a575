import { getSetting } from '../../../../shared/runtime/settings.ts';

/**
 * Returns where the forms of uploads are sent, as the client of S3 names it when it signs one. The page needs neither that
 * client nor any right to the bucket.
 */
export const uploadUrl = (): string => {
  const name = getSetting('FILES_BUCKET');
  const endpoint = process.env['AWS_ENDPOINT_URL_S3'];
  // An endpoint of one's own serves all buckets from one name.
  if (endpoint) return `${endpoint.replace(/\/$/, '')}/${name}`;
  const region = process.env['AWS_REGION'] ?? '';
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  return `https://${name}.s3.${region}.${domain}/`;
};
