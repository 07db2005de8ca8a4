import { setTimeout as wait } from 'node:timers/promises';
import {
  completable,
  fromJsonSchema,
  ResourceTemplate,
  type CallToolResult,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { ServerExtension } from '../../api/mcp/mcp-server.ts';
import { inputFixture, verifyState } from './conformance-input-fixture.ts';

/** What the scenarios of the MCP conformance suite want to find. Names and texts are the suite's. */
export const conformanceFixture: ServerExtension = {
  options: { requestState: { verify: verifyState } },
  register(server) {
    // As with the service's own lists: none changes while the process lives.
    server.server.registerCapabilities({ logging: {}, prompts: { listChanged: false } });
    contentTools(server);
    notifyingTools(server);
    schemaTools(server);
    resources(server);
    prompts(server);
    inputFixture(server);
  },
};

/** One red pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
/** A header and no sample. */
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const textOf = (text: string) => ({ type: 'text', text }) as const;
const image = { type: 'image', data: png, mimeType: 'image/png' } as const;
const resourceOf = (uri: string, mimeType: string, text: string) =>
  ({ type: 'resource', resource: { uri, mimeType, text } }) as const;

function contentTools(server: McpServer): void {
  const answers: Readonly<Record<string, CallToolResult['content']>> = {
    test_simple_text: [textOf('This is a simple text response for testing.')],
    test_image_content: [image],
    test_audio_content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }],
    test_embedded_resource: [
      resourceOf('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
    ],
    test_multiple_content_types: [
      textOf('Multiple content types test:'),
      image,
      resourceOf('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  };
  for (const [name, content] of Object.entries(answers)) {
    server.registerTool(name, { description: 'Answers the same always' }, () => ({ content }));
  }
  server.registerTool('test_error_handling', { description: 'Fails always' }, () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
}

/** The suite wants to see that these come one after the other, while the call runs. */
const betweenNotificationsMs = 50;

function notifyingTools(server: McpServer): void {
  server.registerTool('test_tool_with_logging', { description: 'Logs while it runs' }, async ({ mcpReq }) => {
    await mcpReq.log('info', 'Tool execution started');
    await wait(betweenNotificationsMs);
    await mcpReq.log('info', 'Tool processing data');
    await wait(betweenNotificationsMs);
    await mcpReq.log('info', 'Tool execution completed');
    return { content: [textOf('Logged.')] };
  });
  server.registerTool('test_logging_tool', { description: 'Logs to those who ask for it' }, async ({ mcpReq }) => {
    await mcpReq.log('info', 'Only for a request with a log level');
    return { content: [textOf('Logged.')] };
  });
  server.registerTool('test_tool_with_progress', { description: 'Tells how far it is' }, async ({ mcpReq }) => {
    await progress(mcpReq, 0);
    await wait(betweenNotificationsMs);
    await progress(mcpReq, 50);
    await wait(betweenNotificationsMs);
    await progress(mcpReq, 100);
    return { content: [textOf('Done.')] };
  });
}

async function progress({ _meta, notify }: ServerContext['mcpReq'], percent: number): Promise<void> {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return;
  await notify({ method: 'notifications/progress', params: { progressToken, progress: percent, total: 100 } });
}

/** Every kind of keyword that a list of tools must hand on as it is. */
const wideSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema, and nothing awaits it.
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
} as const;

function schemaTools(server: McpServer): void {
  const inputSchema = fromJsonSchema(wideSchema);
  server.registerTool('json_schema_2020_12_tool', { description: 'Has a wide schema', inputSchema }, () => ({
    content: [textOf('Valid.')],
  }));
  const region = z.string().meta({ 'x-mcp-header': 'Region' });
  const headed = { description: 'Has an input that is a header too', inputSchema: z.object({ region }) };
  server.registerTool('test_header_input', headed, (input) => ({ content: [textOf(input.region)] }));
}

function resources(server: McpServer): void {
  const plain = { mimeType: 'text/plain' };
  server.registerResource('static-text', 'test://static-text', plain, ({ href: uri }) => ({
    contents: [{ uri, ...plain, text: 'This is the content of the static text resource.' }],
  }));
  const pixel = { mimeType: 'image/png' };
  server.registerResource('static-binary', 'test://static-binary', pixel, ({ href: uri }) => ({
    contents: [{ uri, ...pixel, blob: png }],
  }));
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  const json = { mimeType: 'application/json' };
  server.registerResource('template', template, json, ({ href: uri }, { id }) => ({
    contents: [{ uri, ...json, text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }) }],
  }));
}

const said = (...contents: CallToolResult['content']) => ({
  messages: contents.map((content) => ({ role: 'user', content }) as const),
});

function prompts(server: McpServer): void {
  server.registerPrompt('test_simple_prompt', { description: 'One text' }, () =>
    said(textOf('This is a simple prompt for testing.')),
  );
  const argument = completable(z.string(), (begun) =>
    ['paris', 'park', 'party'].filter((value) => value.startsWith(begun)),
  );
  const argsSchema = z.object({ arg1: argument, arg2: z.string() });
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'Says its arguments', argsSchema },
    ({ arg1, arg2 }) => said(textOf(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  );
  const embedded = { description: 'Embeds a resource', argsSchema: z.object({ resourceUri: z.string() }) };
  server.registerPrompt('test_prompt_with_embedded_resource', embedded, ({ resourceUri }) =>
    said(
      resourceOf(resourceUri, 'text/plain', 'Embedded resource content for testing.'),
      textOf('Please process the embedded resource above.'),
    ),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'An image' }, () =>
    said(image, textOf('Please analyze the image above.')),
  );
}
