/** A value of a request or an answer of AWS's query protocol. */
export type Value =
  | string
  | number
  | boolean
  | Date
  | undefined
  | readonly Value[]
  | { readonly [name: string]: Value };

/** The error of a request, as AWS answers it. */
export class AwsError extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** Creates the error of CloudFormation for almost everything that it refuses. */
export const invalid = (message: string): AwsError => new AwsError('ValidationError', message);

const escaped = (text: string): string =>
  text.replace(/[<>&"]|[^\P{Cc}\n\t]/gu, (char) => `&#${char.codePointAt(0)};`);

/** Writes an element; a list is written as `member` elements, and `undefined` not at all. */
export const toXml = (name: string, value: Value): string => {
  if (value === undefined) return '';
  const inside = (): string => {
    if (Array.isArray(value)) return value.map((one: Value) => toXml('member', one)).join('');
    if (value instanceof Date) return value.toISOString();
    if (typeof value === 'object') {
      return Object.entries(value as Record<string, Value>)
        .map(([key, one]) => toXml(key, one))
        .join('');
    }
    return escaped(String(value));
  };
  return `<${name}>${inside()}</${name}>`;
};

/** The parameters of a request, such as `{StackName: 'a', Parameters: [{ParameterKey: 'b'}]}`. */
export interface Input {
  readonly [name: string]: string | Input | Input[] | string[] | undefined;
}

type Node = Map<string, Node> | string;

const toValue = (node: Node): Input[string] => {
  if (typeof node === 'string') return node;
  const members = node.get('member');
  if (members instanceof Map) {
    return [...members]
      .toSorted(([one], [other]) => Number(one) - Number(other))
      .map(([, member]) => toValue(member)) as Input[];
  }
  return Object.fromEntries([...node].map(([name, child]) => [name, toValue(child)])) as Input;
};

/** Parses a form whose names are paths, such as `Parameters.member.1.ParameterKey`. */
export const parseForm = (form: string): Input => {
  const root = new Map<string, Node>();
  for (const [path, value] of new URLSearchParams(form)) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let at = root;
    for (const name of names) {
      const child = at.get(name);
      if (child instanceof Map) at = child;
      else {
        const created = new Map<string, Node>();
        at.set(name, created);
        at = created;
      }
    }
    at.set(last, value);
  }
  return toValue(root) as Input;
};

const namespaces: Readonly<Record<string, string>> = {
  '2010-05-15': 'http://cloudformation.amazonaws.com/doc/2010-05-15/',
  '2011-06-15': 'https://sts.amazonaws.com/doc/2011-06-15/',
};

/** Writes the answer of an operation. */
export const toAnswer = (action: string, version: string, result: Value): string =>
  `<${action}Response xmlns="${namespaces[version]}">${toXml(`${action}Result`, result)}<ResponseMetadata><RequestId>1</RequestId></ResponseMetadata></${action}Response>`;

/** Writes the answer to a refused operation. */
export const toErrorAnswer = ({ code, message }: AwsError): string =>
  `<ErrorResponse>${toXml('Error', { Type: 'Sender', Code: code, Message: message })}<RequestId>1</RequestId></ErrorResponse>`;
