/** Files that a person, a script or a container starts; all others must be reached from one of them. */
export const entries = [
  'api/main.ts',
  'activities/worker.ts',
  // A thread of the worker.
  'activities/sandbox/sandbox-thread.ts',
  // Temporal's bundler starts here.
  'workflows/index.ts',
  'ops/start.ts',
  // Run as a process of its own, which can be ended when a download hangs.
  'ops/stack/temporal-download.ts',
  'ops/demo/demo.ts',
  'ops/client/generate.ts',
  'ops/support/support.ts',
  'ops/deploy/migrate.ts',
  'ops/deploy/setup-temporal.ts',
  'ops/deploy/check-api.ts',
  'ops/deploy/check-worker.ts',
];

/** What the test runner starts besides the files named `*.test.ts`. */
export const testEntries = [
  'vitest.config.ts',
  'test/global-setup.ts',
  'test/browser/global-setup.ts',
  // Draws the pictures of the README.
  'test/browser/screenshot.ts',
  'test/bench/bench.ts',
  // Started by the bench as processes of their own; the workflow file by Temporal's bundler.
  'test/bench/bare-worker.ts',
  'test/bench/bare.workflow.ts',
  'test/bench/plain-server.ts',
  'test/bench/auth-server.ts',
  'test/bench/plain-stream-server.ts',
  'test/bench/stream-reader.ts',
  'test/workflow/endless.workflow.ts',
  // A program of somebody else, compiled against the packed client.
  'test/client/consumer.ts',
  // Started by whoever runs the MCP conformance suite, which is a program of its own and not installed here.
  'test/mcp/conformance-server.ts',
  // A seller whose capabilities are called: a process of its own, for tests and the demo.
  'test/seller/seller.ts',
  // An OpenID provider, whose tokens the service is to believe: a process of its own, which can be stopped.
  'test/oidc/issuer.ts',
];
