import { randomBytes } from 'node:crypto';
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  type CallToolResult,
  type ClientCapabilities,
  type InputRequiredResult,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

/** What a call that takes several rounds has come to. The client carries it, signed. */
interface State {
  readonly round: number;
}
type Answer = CallToolResult | InputRequiredResult;
type Request = ServerContext['mcpReq'];

// One process serves every round.
const codec = createRequestStateCodec<State>({ key: randomBytes(32) });
/** Refuses a state that this process has not signed, before a fixture sees it. */
export const verifyState: typeof codec.verify = async (state, ctx) => await codec.verify(state, ctx);

/** The fixtures that need something of the client first: a round ends by asking, and the client calls again. */
export function inputFixture(server: McpServer): void {
  const add = (name: string, run: (request: Request) => Answer | Promise<Answer>) => {
    server.registerTool(name, { description: 'Asks its client first' }, async ({ mcpReq }) => await run(mcpReq));
  };
  add('test_input_required_result_elicitation', afterName);
  add('test_streaming_elicitation', afterName);
  add('test_input_required_result_sampling', afterSampling);
  add('test_missing_capability', afterSampling);
  add('test_input_required_result_list_roots', afterRoots);
  add('test_input_required_result_request_state', afterConfirmation);
  add('test_input_required_result_tampered_state', afterConfirmation);
  add('test_input_required_result_multiple_inputs', afterAllThree);
  add('test_input_required_result_multi_round', afterTwoRounds);
  add('test_input_required_result_capabilities', onlyWhatIsDeclared);
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks its client first' }, ({ mcpReq }) => {
    const given = acceptedContent(mcpReq.inputResponses, 'user_context', contextForm);
    if (given === undefined) {
      return inputRequired({
        inputRequests: { user_context: elicit('What context should the prompt use?', contextForm) },
      });
    }
    return { messages: [{ role: 'user', content: { type: 'text', text: `Context: ${given.context}` } }] };
  });
}

const nameForm = z.object({ name: z.string() });
const colorForm = z.object({ color: z.string() });
const contextForm = z.object({ context: z.string() });
const confirmationForm = z.object({ ok: z.boolean() });

const elicit = (message: string, requestedSchema: z.ZodObject) => inputRequired.elicit({ message, requestedSchema });
const sample = (text: string, maxTokens: number) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens });
const complete = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });

function afterName({ inputResponses }: Request): Answer {
  const given = acceptedContent(inputResponses, 'user_name', nameForm);
  if (given !== undefined) return complete(`Hello, ${given.name}!`);
  return inputRequired({ inputRequests: { user_name: elicit('What is your name?', nameForm) } });
}

function afterSampling({ inputResponses }: Request): Answer {
  const given = inputResponse(inputResponses, 'capital_question');
  if (given.kind === 'sampling') return complete(JSON.stringify(given.result.content));
  return inputRequired({ inputRequests: { capital_question: sample('What is the capital of France?', 100) } });
}

function afterRoots({ inputResponses }: Request): Answer {
  const given = inputResponse(inputResponses, 'client_roots');
  if (given.kind === 'roots') return complete(given.roots.map(({ uri }) => uri).join('\n'));
  return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
}

async function afterConfirmation({ inputResponses, requestState }: Request): Promise<Answer> {
  const given = acceptedContent(inputResponses, 'confirm', confirmationForm);
  if (given !== undefined && requestState<State>()?.round === 1) return complete('state-ok');
  const inputRequests = { confirm: elicit('Please confirm', confirmationForm) };
  return inputRequired({ inputRequests, requestState: await codec.mint({ round: 1 }) });
}

async function afterAllThree({ inputResponses, requestState }: Request): Promise<Answer> {
  const name = acceptedContent(inputResponses, 'user_name', nameForm);
  const isAnswered =
    name !== undefined &&
    inputResponse(inputResponses, 'greeting').kind === 'sampling' &&
    inputResponse(inputResponses, 'client_roots').kind === 'roots';
  if (isAnswered && requestState<State>()?.round === 1) return complete(`Hello, ${name.name}!`);
  const inputRequests = {
    user_name: elicit('What is your name?', nameForm),
    greeting: sample('Generate a greeting', 50),
    client_roots: inputRequired.listRoots(),
  };
  return inputRequired({ inputRequests, requestState: await codec.mint({ round: 1 }) });
}

async function afterTwoRounds({ inputResponses, requestState }: Request): Promise<Answer> {
  const round = requestState<State>()?.round;
  const isNamed = acceptedContent(inputResponses, 'step1', nameForm) !== undefined;
  const isColored = acceptedContent(inputResponses, 'step2', colorForm) !== undefined;
  if (round === 2 && isColored) return complete('Both rounds are done.');
  if (round === 2 || (round === 1 && isNamed)) {
    const inputRequests = { step2: elicit('Step 2: What is your favorite color?', colorForm) };
    return inputRequired({ inputRequests, requestState: await codec.mint({ round: 2 }) });
  }
  const inputRequests = { step1: elicit('Step 1: What is your name?', nameForm) };
  return inputRequired({ inputRequests, requestState: await codec.mint({ round: 1 }) });
}

/** The SDK has no type for what a request brings of itself. */
type Envelope = { readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined;

function onlyWhatIsDeclared({ envelope }: Request): Answer {
  const declared: Envelope = envelope;
  const { elicitation, sampling } = declared?.[CLIENT_CAPABILITIES_META_KEY] ?? {};
  const inputRequests = {
    ...(elicitation !== undefined && { user_name: elicit('What is your name?', nameForm) }),
    ...(sampling !== undefined && { greeting: sample('Generate a greeting', 50) }),
  };
  return Object.keys(inputRequests).length > 0 ? inputRequired({ inputRequests }) : complete('Nothing can be asked.');
}
