/** Returns the name of a resource or an attribute by its type, logical id and attribute name. */
export type PhysicalName = (
  type: string,
  logicalId: string,
  attribute: string | undefined,
) => string;

type Described = Readonly<Record<string, { readonly Type: string }>>;

export const region = 'us-east-1';
/** The account of the local engines. */
export const accountId = '000000000000';

const pseudo: Readonly<Record<string, string>> = {
  'AWS::Region': region,
  'AWS::AccountId': accountId,
  'AWS::Partition': 'aws',
  'AWS::URLSuffix': 'amazonaws.com',
};

/** Resolves CloudFormation functions in a value. @throws Error for an unknown function */
export const resolver = (
  resources: Described,
  name: PhysicalName,
): ((value: unknown) => unknown) => {
  const nameOf = (id: string, attribute?: string): string => {
    const type = resources[id]?.Type;
    if (type === undefined) throw new Error(`The template has nothing of the name ${id}`);
    return name(type, id, attribute);
  };
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    const [[key = '', argument] = [], ...others] = Object.entries(value);
    if (others.length === 0 && key === 'Ref') return pseudo[argument] ?? nameOf(argument);
    if (others.length === 0 && key === 'Fn::GetAtt') {
      const [id, attribute] = argument as [string, string];
      return nameOf(id, attribute);
    }
    if (others.length === 0 && key === 'Fn::Join') {
      const [separator, parts] = argument as [string, unknown[]];
      return parts.map(resolve).join(separator);
    }
    if (key.startsWith('Fn::')) throw new Error(`${key} is not known here`);
    return Object.fromEntries(Object.entries(value).map(([each, one]) => [each, resolve(one)]));
  };
  return resolve;
};
