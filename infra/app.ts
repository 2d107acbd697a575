import { App } from 'aws-cdk-lib';
import { HandbillStack } from './stack.ts';

const app = new App();
new HandbillStack(app, 'Handbill', {
  description: 'Handbill: snippet share pages and an admin backend',
});
