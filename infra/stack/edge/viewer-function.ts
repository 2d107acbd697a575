import {
  Function as EdgeFunction,
  FunctionCode,
  FunctionRuntime,
} from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';
import { edgeHeaders } from '../../../shared/http/edge.ts';

/** Code in CloudFront: adds the viewer's address and host to a request, whatever the viewer sent in these headers. */
export const viewerCode = `function handler(event) {
  var request = event.request;
  request.headers['${edgeHeaders.address}'] = { value: event.viewer.ip };
  request.headers['${edgeHeaders.host}'] = { value: request.headers.host.value };
  return request;
}`;

/** Creates the function that vouches for viewers: no managed policy promises their address, and none keeps their host. */
export const createViewerFunction = (scope: Construct): EdgeFunction =>
  new EdgeFunction(scope, 'Viewer', {
    comment: 'Handbill: address and host of the viewer',
    code: FunctionCode.fromInline(viewerCode),
    runtime: FunctionRuntime.JS_2_0,
  });
