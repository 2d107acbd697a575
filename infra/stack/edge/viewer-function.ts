import {
  Function as EdgeFunction,
  FunctionCode,
  FunctionRuntime,
} from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';
import { viewerCode } from './viewer-code.ts';

/** Creates the function that vouches for viewers: no managed policy promises their address, and none keeps their host. */
export const createViewerFunction = (scope: Construct, serviceUrl?: string): EdgeFunction =>
  new EdgeFunction(scope, serviceUrl === undefined ? 'Viewer' : 'SnippetsViewer', {
    comment: 'Handbill: address and host of the viewer',
    code: FunctionCode.fromInline(viewerCode(serviceUrl)),
    runtime: FunctionRuntime.JS_2_0,
  });
