import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import type { Person } from '../harness.ts';
import type { Data } from '../api/purchase.ts';

export const eras = ['2025-11-25', '2026-07-28'] as const;
export type Era = (typeof eras)[number];

/** What a tool answered. */
export interface Answer {
  readonly isError: boolean;
  readonly data: Data;
  readonly text: string;
  readonly meta: Data;
}

/** The SDK's client, connected with somebody's credentials. */
export interface ToolClient {
  readonly client: Client;
  /** Calls a tool; whatever it answers. */
  readonly ask: (name: string, args?: Data) => Promise<Answer>;
  /** Calls a tool that is to succeed, and answers its data. */
  readonly get: (name: string, args?: Data) => Promise<Data>;
}

/** Connects as the person, by one revision of the protocol; `headers` are added to those of the person. */
export async function connect(
  url: string,
  person: Person,
  era: Era = '2026-07-28',
  headers: Record<string, string> = {},
): Promise<ToolClient> {
  const mode = era === '2025-11-25' ? 'legacy' : { pin: era };
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  const requestInit = { headers: { ...(await person.headers()), ...headers } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }));
  const ask = async (name: string, args: Data = {}) => answerOf(await client.callTool({ name, arguments: args }));
  const get = async (name: string, args: Data = {}) => {
    const answer = await ask(name, args);
    expect(answer.isError, answer.text).toBe(false);
    return answer.data;
  };
  return { client, ask, get };
}

function answerOf({ isError = false, structuredContent, content, _meta }: CallToolResult): Answer {
  const [first] = content;
  return {
    isError,
    data: (structuredContent ?? {}) as Data,
    text: first?.type === 'text' ? first.text : '',
    meta: _meta ?? {},
  };
}
