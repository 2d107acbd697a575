import { randomBytes } from 'node:crypto';

/** What a resource of the account is. */
export interface Resource {
  readonly logicalId: string;
  readonly type: string;
  readonly physicalId: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly deletionPolicy: string;
}

/** What is about to be done with a resource. */
export interface Attempt {
  readonly action: 'create' | 'update' | 'delete';
  readonly logicalId: string;
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Says why an attempt fails, or nothing. */
export type Refusal = (attempt: Attempt) => string | undefined;

/** The properties that choose a name, of which an account has one of a type. */
const nameProperties: Readonly<Record<string, string>> = {
  'AWS::CloudFront::CachePolicy': 'CachePolicyConfig.Name',
  'AWS::CloudFront::Function': 'Name',
  'AWS::CloudFront::ResponseHeadersPolicy': 'ResponseHeadersPolicyConfig.Name',
  'AWS::CloudWatch::Alarm': 'AlarmName',
  'AWS::CloudWatch::Dashboard': 'DashboardName',
  'AWS::DynamoDB::GlobalTable': 'TableName',
  'AWS::DynamoDB::Table': 'TableName',
  'AWS::IAM::Role': 'RoleName',
  'AWS::Lambda::Function': 'FunctionName',
  'AWS::Logs::LogGroup': 'LogGroupName',
  'AWS::S3::Bucket': 'BucketName',
  'AWS::SES::ConfigurationSet': 'Name',
  'AWS::SNS::Topic': 'TopicName',
  'AWS::SQS::Queue': 'QueueName',
  'AWS::SecretsManager::Secret': 'Name',
};

const chosenName = ({ type, properties }: Attempt): string | undefined => {
  let value: unknown = properties;
  for (const name of nameProperties[type]?.split('.') ?? ['none']) {
    value = (value as Readonly<Record<string, unknown>> | undefined)?.[name];
  }
  return typeof value === 'string' ? value : undefined;
};

const random = (length: number): string => randomBytes(length).toString('hex').slice(0, length);

/** Whether a table refuses to be deleted. */
const isProtected = ({ type, properties }: Attempt): boolean =>
  (type === 'AWS::DynamoDB::Table' && properties['DeletionProtectionEnabled'] === true) ||
  (type === 'AWS::DynamoDB::GlobalTable' &&
    (properties['Replicas'] as { DeletionProtectionEnabled?: boolean }[] | undefined)?.some(
      (replica) => replica.DeletionProtectionEnabled === true,
    ) === true);

/** An account in a region, with the resources that stacks have made and left. */
export class Account {
  readonly id = '123456789012';
  readonly region: string;
  /** The concurrent executions of functions: ten of a new account. */
  concurrency = 10;
  /** Why attempts fail beside the rules that every account has. */
  refuse: Refusal = () => undefined;
  readonly #resources = new Map<string, Resource>();
  /** The address of an API, and the name of a table, instead of ones at AWS that nobody serves. */
  apiUrl: string | undefined;
  tableName: string | undefined;

  constructor(region: string) {
    this.region = region;
  }

  /** The resources by their type and physical id. */
  get resources(): readonly Resource[] {
    return [...this.#resources.values()];
  }

  #key(type: string, physicalId: string): string {
    return `${type} ${physicalId}`;
  }

  arn(service: string, resource: string): string {
    return `arn:aws:${service}:${this.region}:${this.id}:${resource}`;
  }

  /** Returns why an attempt fails. */
  reasonAgainst(attempt: Attempt): string | undefined {
    const { action, type, properties } = attempt;
    if (action === 'delete' && isProtected(attempt)) {
      return 'Resource handler returned message: "Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first."';
    }
    const reserved = properties['ReservedConcurrentExecutions'];
    if (action !== 'delete' && type === 'AWS::Lambda::Function' && typeof reserved === 'number') {
      if (this.concurrency - reserved < 10) {
        return `Resource handler returned message: "Specified ReservedConcurrentExecutions for function decreases account's UnreservedConcurrentExecution below its minimum value of [10]. (Service: Lambda, Status Code: 400)"`;
      }
    }
    const name = chosenName(attempt);
    if (action === 'create' && name !== undefined && this.#resources.has(this.#key(type, name))) {
      return `Resource handler returned message: "Resource of type '${type}' with identifier '${name}' already exists."`;
    }
    return this.refuse(attempt);
  }

  /** Creates a resource, or replaces what is known of it. */
  put(attempt: Attempt, stackName: string, deletionPolicy: string, physicalId?: string): Resource {
    const { logicalId, type, properties } = attempt;
    const resource = {
      logicalId,
      type,
      properties,
      deletionPolicy,
      physicalId: physicalId ?? this.#toPhysicalId(attempt, stackName),
    };
    this.#resources.set(this.#key(type, resource.physicalId), resource);
    return resource;
  }

  remove({ type, physicalId }: Resource): void {
    this.#resources.delete(this.#key(type, physicalId));
  }

  #toPhysicalId(attempt: Attempt, stackName: string): string {
    const { type, logicalId } = attempt;
    const name = chosenName(attempt) ?? `${stackName}-${logicalId}-${random(12).toUpperCase()}`;
    if (type === 'AWS::SecretsManager::Secret') return this.arn('secretsmanager', `secret:${name}`);
    if (type === 'AWS::SQS::Queue') {
      return `https://sqs.${this.region}.amazonaws.com/${this.id}/${name}`;
    }
    if (type === 'AWS::S3::Bucket') return name.toLowerCase();
    if (type === 'AWS::DynamoDB::GlobalTable') return this.tableName ?? name;
    return type.startsWith('AWS::ApiGatewayV2::') ? random(10) : name;
  }

  /** Returns an attribute of a resource. Only those of addresses and ARNs have the form that AWS gives them. */
  attribute({ type, physicalId }: Resource, name: string): string {
    const service = type.split('::')[1]?.toLowerCase() ?? '';
    if (name === 'ApiEndpoint') {
      return this.apiUrl ?? `https://${physicalId}.execute-api.${this.region}.amazonaws.com`;
    }
    if (name === 'Arn') {
      if (type === 'AWS::S3::Bucket') return `arn:aws:s3:::${physicalId}`;
      if (type.startsWith('AWS::IAM')) return `arn:aws:iam::${this.id}:role/${physicalId}`;
      return this.arn(service, physicalId.split('/').at(-1) ?? '');
    }
    if (name === 'DomainName') return `${physicalId.toLowerCase().slice(-12)}.cloudfront.net`;
    return `${physicalId}.${name}`;
  }
}
