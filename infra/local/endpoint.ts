import { StartError } from './aws/host/start-error.ts';

/**
 * Returns the endpoint of an AWS service that is set in the environment (`AWS_ENDPOINT_URL_…`), if any.
 * @throws StartError when it is not a URL
 */
export const configuredEndpoint = (name: string): string | undefined => {
  const endpoint = process.env[name];
  if (!endpoint) return undefined;
  if (URL.canParse(endpoint)) return endpoint;
  throw new StartError(`Set ${name} to a URL such as http://127.0.0.1:8000.`);
};
