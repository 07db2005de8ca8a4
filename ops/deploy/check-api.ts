/** Health check of the API's container: exit code 0 while the service can reach its database and Temporal. */
const TIMEOUT_MS = 4_000;

const port = process.env['PORT'] ?? '3000';
const response = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
if (!response.ok) {
  console.error(`GET /readyz answered ${response.status}`);
  process.exitCode = 1;
}
