import http from 'node:http';

const agent = new http.Agent({ keepAlive: true, maxSockets: 600 });

/** The lightest client of the standard library, so that the bench itself takes little of the machine. */
export async function send(
  method: string,
  url: string,
  headers: Readonly<Record<string, string>> = {},
  body?: unknown,
): Promise<{ status: number; data: Record<string, unknown> }> {
  const text = body === undefined ? null : JSON.stringify(body);
  const length =
    text === null ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) };
  return await new Promise((resolve, reject) => {
    const request = http.request(url, { method, agent, headers: { ...headers, ...length } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const envelope = JSON.parse(Buffer.concat(chunks).toString()) as { data: Record<string, unknown> };
        const status = response.statusCode ?? 0;
        if (status >= 400) reject(new Error(`${method} ${url}: ${status} ${JSON.stringify(envelope)}`));
        else resolve({ status, data: envelope.data });
      });
    });
    request.on('error', reject);
    request.end(text ?? undefined);
  });
}
