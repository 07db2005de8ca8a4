import type { ServerResponse } from 'node:http';

/** Answers with JSON. */
export function answerJson(response: ServerResponse, status: number, value: unknown): void {
  answerText(response, status, JSON.stringify(value));
}

/** Answers with a text that says of itself to be JSON. */
export function answerText(response: ServerResponse, status: number, text: string): void {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  response.writeHead(status, headers).end(text);
}
