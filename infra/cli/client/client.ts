// biome-ignore-all lint/performance/noBarrelFile: the entry of the package, `handbill-cli/client`
export {
  ApiError,
  ConflictError,
  type CurrentVersion,
  type ErrorDetail,
} from '../../../functions/web/browser/client/api-error.ts';
export type { CachedReader } from '../../../functions/web/browser/client/cache.ts';
export {
  type Client,
  type ClientSettings,
  createClient,
} from '../../../functions/web/browser/client/client.ts';
export type {
  Body,
  Data,
  Endpoint,
  Item,
  Options,
  PagedEndpoint,
} from '../../../functions/web/browser/client/endpoints.ts';
export type { TokenStore, Tokens } from '../../../functions/web/browser/client/session.ts';
export type { ApiResponse } from '../../../functions/web/browser/client/transport.ts';
export type {
  Upload,
  UploadRun,
  UploadSettings,
} from '../../../functions/web/browser/client/upload.ts';
export { createUpload } from './upload.ts';
