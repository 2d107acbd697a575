/**
 * Replaces `@aws-sdk/credential-provider-node` in the bundles. Lambda provides credentials only in the environment, and the
 * package's other providers are a third of the SDK.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime
 */
export const defaultProvider = () => async () => {
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = process.env;
  if (!accessKeyId || !secretAccessKey) throw new Error('Lambda has set no credentials');
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
};
