import { type Input, invalid } from './protocol.ts';
import type { Template, TemplateParameter } from './template.ts';

/** What the Systems Manager of a bootstrapped account holds. */
export const systemParameters: Readonly<Record<string, string>> = {
  '/cdk-bootstrap/hnb659fds/version': '30',
};

const isSystem = ({ Type }: TemplateParameter): boolean =>
  Type.startsWith('AWS::SSM::Parameter::Value');

const assertAllowed = (name: string, definition: TemplateParameter, value: string): void => {
  const { AllowedValues, AllowedPattern } = definition;
  if (AllowedValues && !AllowedValues.includes(value)) {
    throw invalid(`Parameter '${name}' must be one of AllowedValues`);
  }
  if (AllowedPattern !== undefined && !new RegExp(`^(?:${AllowedPattern})$`).test(value)) {
    throw invalid(`Parameter '${name}' must match pattern ${AllowedPattern}`);
  }
};

/**
 * Returns the value of each parameter of a template: as given, as before where that is asked for, or the default.
 * @throws AwsError for one without a value, an unknown one, and one that isn't allowed
 */
export const readParameters = (
  template: Template,
  given: readonly Input[],
  before: ReadonlyMap<string, string> | undefined,
): Map<string, string> => {
  const definitions = template.Parameters ?? {};
  const chosen = new Map<string, string>();
  for (const { ParameterKey, ParameterValue, UsePreviousValue } of given) {
    const name = String(ParameterKey);
    if (!(name in definitions)) {
      throw invalid(`Parameters: [${name}] do not exist in the template`);
    }
    if (UsePreviousValue !== 'true') {
      chosen.set(name, String(ParameterValue));
      continue;
    }
    const value = before?.get(name);
    if (value === undefined) {
      throw invalid(
        `Invalid input for parameter key ${name}. Cannot specify usePreviousValue as true for a parameter key not in the previous template`,
      );
    }
    chosen.set(name, value);
  }
  const missing: string[] = [];
  for (const [name, definition] of Object.entries(definitions)) {
    const value = chosen.get(name) ?? definition.Default;
    if (value === undefined) {
      missing.push(name);
      continue;
    }
    assertAllowed(name, definition, String(value));
    chosen.set(name, String(value));
  }
  if (missing.length > 0) throw invalid(`Parameters: [${missing.join(', ')}] must have values`);
  return chosen;
};

/** Returns what templates get for the parameters, which name parameters of the Systems Manager. */
export const resolveParameters = (
  { Parameters = {} }: Template,
  chosen: ReadonlyMap<string, string>,
): Record<string, string> =>
  Object.fromEntries(
    [...chosen].map(([name, value]) => {
      const definition = Parameters[name];
      return [name, definition && isSystem(definition) ? (systemParameters[value] ?? '') : value];
    }),
  );

/** Describes the parameters as DescribeStacks does: secret ones are hidden. */
export const describeParameters = (
  template: Template,
  chosen: ReadonlyMap<string, string>,
): { ParameterKey: string; ParameterValue: string; ResolvedValue?: string | undefined }[] => {
  const resolved = resolveParameters(template, chosen);
  return [...chosen].map(([name, value]) => {
    const definition = template.Parameters?.[name];
    return {
      ParameterKey: name,
      ParameterValue: String(definition?.NoEcho) === 'true' ? '****' : value,
      ...(definition && isSystem(definition) && { ResolvedValue: resolved[name] }),
    };
  });
};
