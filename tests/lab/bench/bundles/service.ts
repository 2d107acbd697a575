import { startDynamoDb } from '../../../../infra/local/aws/dynamodb/engine.ts';
import { startSecrets } from '../../lambda/engines/secrets.ts';
import { signIn } from '../lists/caller.ts';
import { seedTable } from '../lists/seeding.ts';

const secretArn = 'arn:aws:secretsmanager:eu-central-1:000000000000:secret:bench-AbCdEf';
const secret = 'rT8vQ2mZ7xK4nB9cW3pL6sJ1hG5fD0yEaUiOqRtYwVbNmXzCkHgFdSpLjQeWrTyU';

const users = 10;

/** The dependencies of the functions: a table in memory with a few users, and the signing secret. */
export interface Service {
  /** Environment variables of a function. */
  readonly environment: Readonly<Record<string, string>>;
  /** The same with the signing secret itself, so that a start reads nothing. */
  readonly withSecret: Readonly<Record<string, string>>;
  /** An administrator's access token. */
  readonly token: string;
  close(): Promise<void>;
}

/** Starts the dependencies of the first requests. Also sets this process's own environment. */
export const startService = async (): Promise<Service> => {
  const dynamoDb = await startDynamoDb({});
  const secrets = await startSecrets({ [secretArn]: secret });
  const environment = {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'bench',
    AWS_SECRET_ACCESS_KEY: 'bench',
    AWS_ENDPOINT_URL_DYNAMODB: dynamoDb.endpoint,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.endpoint,
    TABLE_NAME: 'bench',
    JWT_SECRET_ID: secretArn,
    FILES_BUCKET: 'bench',
    JOBS_QUEUE_URL: 'http://127.0.0.1:9/bench',
    MAIL_QUEUE_URL: 'http://127.0.0.1:9/mail',
    HOOKS_QUEUE_URL: 'http://127.0.0.1:9/hooks',
    ACTIVITY_QUEUE_URL: 'http://127.0.0.1:9/activity',
    PUBLIC_URL: 'https://handbill.test',
    SNIPPETS_URL: 'https://snippets.handbill.test',
    API_HOST: 'service',
  };
  Object.assign(process.env, environment, { RATE_LIMIT_FACTOR: '1000' });
  const { caller: client } = await seedTable(users);
  return {
    environment,
    withSecret: { ...environment, JWT_SECRET: secret },
    token: await signIn(client),
    close: async () => {
      await dynamoDb.close();
      await secrets.close();
    },
  };
};
