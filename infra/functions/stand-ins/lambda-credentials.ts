/**
 * Stands in for `@aws-sdk/credential-provider-node` in the bundles: Lambda hands a function its credentials in the
 * environment and nowhere else, and the chain of all the other places is a third of the SDK.
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
