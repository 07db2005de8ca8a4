/** What goes wrong in an agent protocol rather than in a trade: name → code, in all generations but for the last two. */
export const faultTable = {
  parse: { code: -32_700, reason: 'PARSE_ERROR', text: 'The body is not well-formed JSON.' },
  invalid_request: { code: -32_600, reason: 'INVALID_REQUEST', text: 'This is no JSON-RPC request.' },
  unknown_method: { code: -32_601, reason: 'METHOD_NOT_FOUND', text: 'No such method.' },
  invalid_params: { code: -32_602, reason: 'INVALID_PARAMS', text: 'The parameters are not valid.' },
  internal: { code: -32_603, reason: 'INTERNAL_ERROR', text: 'Something went wrong here.' },
  task_not_found: { code: -32_001, reason: 'TASK_NOT_FOUND', text: 'No such task.' },
  task_not_cancelable: { code: -32_002, reason: 'TASK_NOT_CANCELABLE', text: 'This task cannot be canceled now.' },
  unsupported_operation: {
    code: -32_004,
    reason: 'UNSUPPORTED_OPERATION',
    text: 'This operation is not supported here.',
  },
  content_type: {
    code: -32_005,
    reason: 'CONTENT_TYPE_NOT_SUPPORTED',
    text: 'Send application/json, with parts of text or data.',
  },
  no_extended_card: {
    code: -32_007,
    reason: 'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
    text: 'There is no extended card.',
  },
  version_not_supported: {
    code: -32_009,
    reason: 'VERSION_NOT_SUPPORTED',
    text: 'Send A2A-Version 1.0 or 0.3; v0.1 has an address of its own.',
  },
} as const satisfies Record<string, { code: number; reason: string; text: string }>;

export type FaultName = keyof typeof faultTable;

/** A refusal in the words of the agent protocols. */
export class ProtocolFault extends Error {
  override readonly name = 'ProtocolFault';
  readonly fault: FaultName;
  readonly data: Readonly<Record<string, unknown>> | null;

  constructor(fault: FaultName, text?: string, data: Readonly<Record<string, unknown>> | null = null) {
    super(text ?? faultTable[fault].text);
    this.fault = fault;
    this.data = data;
  }
}
