import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { describe, expect, it } from 'vitest';
import { runInProcess } from '../../../../infra/local/aws/host/in-process.ts';
import { openFunctions } from '../../../../infra/local/aws/lambda/functions.ts';

/** Opens a function that notes its events, and one that fails. */
const open = () => {
  const events: unknown[] = [];
  const failures: unknown[] = [];
  const engine = openFunctions(
    {
      notes: async (event) => void events.push(event),
      fails: async () => {
        throw new Error('It failed');
      },
    },
    (error) => failures.push(error),
  );
  const client = new LambdaClient({ region: 'us-east-1', maxAttempts: 1 });
  runInProcess(client, engine.operations);
  const invoke = (FunctionName: string, InvocationType: 'Event' | 'RequestResponse' = 'Event') =>
    client.send(
      new InvokeCommand({ FunctionName, InvocationType, Payload: Buffer.from('{"a":1}') }),
    );
  return { engine, events, failures, invoke };
};

describe('Invoke', () => {
  it('calls a function as an event, after its own response', async () => {
    const { engine, events, invoke } = open();
    expect((await invoke('notes')).StatusCode).toBe(202);
    expect(events).toEqual([]);
    await engine.settled();
    expect(events).toEqual([{ a: 1 }]);
  });

  it('hands on the failure of a function, of which its caller learns nothing', async () => {
    const { engine, failures, invoke } = open();
    expect((await invoke('fails')).StatusCode).toBe(202);
    await engine.settled();
    expect(failures).toEqual([new Error('It failed')]);
  });

  it('refuses an unknown function, and calls that wait', async () => {
    const { invoke } = open();
    await expect(invoke('unknown')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    await expect(invoke('notes', 'RequestResponse')).rejects.toMatchObject({
      name: 'NotImplemented',
    });
  });
});
