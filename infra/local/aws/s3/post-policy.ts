import * as z from 'zod';
import { accessDenied, S3Error } from './s3-error.ts';

const size = z.number().int().nonnegative();

const policySchema = z.object({
  expiration: z.iso.datetime(),
  conditions: z.array(
    z.union([
      z.tuple([z.literal('content-length-range'), size, size]),
      z.tuple([z.enum(['eq', 'starts-with']), z.string().startsWith('$'), z.string()]),
      z.record(z.string(), z.string()),
    ]),
  ),
});

type Policy = z.output<typeof policySchema>;

/** The permitted size of the file in bytes. */
export interface SizeRange {
  readonly minBytes?: number;
  readonly maxBytes?: number;
}

/** The fields that need no condition. */
const EXEMPT = new Set(['policy', 'x-amz-signature', 'bucket']);

const parsePolicy = (encoded: string): Policy => {
  try {
    return policySchema.parse(JSON.parse(Buffer.from(encoded, 'base64').toString()));
  } catch (cause) {
    throw Object.assign(
      new S3Error(
        400,
        'InvalidPolicyDocument',
        'The content of the form does not meet the conditions specified in the policy document.',
      ),
      { cause },
    );
  }
};

const failed = (condition: unknown): S3Error =>
  accessDenied(
    `Invalid according to Policy: Policy Condition failed: ${JSON.stringify(condition)}`,
  );

/**
 * Asserts that a form meets every condition of its policy, and that a condition covers every field.
 * Returns the policy's range for the size of the file.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-HTTPPOSTConstructPolicy.html
 * @throws S3Error AccessDenied, InvalidPolicyDocument
 */
export const assertPolicy = (
  encoded: string,
  fields: ReadonlyMap<string, string>,
  bucket: string,
): SizeRange => {
  const { expiration, conditions } = parsePolicy(encoded);
  if (Date.parse(expiration) <= Date.now()) {
    throw accessDenied('Invalid according to Policy: Policy expired.');
  }
  const given = (name: string) => (name === 'bucket' ? bucket : (fields.get(name) ?? ''));
  const named = new Set<string>();
  let [minBytes, maxBytes] = [0, Number.POSITIVE_INFINITY];

  const check = (isMet: boolean, name: string, condition: unknown): void => {
    if (!isMet) throw failed(condition);
    named.add(name);
  };
  for (const condition of conditions) {
    if (!Array.isArray(condition)) {
      for (const [field, value] of Object.entries(condition)) {
        const name = field.toLowerCase();
        check(given(name) === value, name, condition);
      }
    } else if (condition[0] === 'content-length-range') {
      minBytes = Math.max(minBytes, condition[1]);
      maxBytes = Math.min(maxBytes, condition[2]);
    } else {
      const [operator, field, wanted] = condition;
      const name = field.slice(1).toLowerCase();
      const value = given(name);
      check(operator === 'eq' ? value === wanted : value.startsWith(wanted), name, condition);
    }
  }
  for (const name of fields.keys()) {
    if (named.has(name) || EXEMPT.has(name) || name.startsWith('x-ignore-')) continue;
    throw accessDenied(`Invalid according to Policy: Extra input fields: ${name}`);
  }
  return { minBytes, ...(Number.isFinite(maxBytes) && { maxBytes }) };
};
