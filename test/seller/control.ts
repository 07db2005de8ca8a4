import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CallLog } from './call-log.ts';
import { answerJson } from './json-answer.ts';
import type { SecretStore } from './signature.ts';

/** What the seller knows. */
export interface Knowledge {
  readonly secrets: SecretStore;
  readonly calls: CallLog;
}

/** What the owner of the seller asks and tells it, on `/control/…`; no signature is needed. */
export function control(
  url: URL,
  request: IncomingMessage,
  body: string,
  response: ServerResponse,
  knowledge: Knowledge,
): void {
  const { secrets, calls } = knowledge;
  const [, , subject, id] = url.pathname.split('/');
  switch (`${request.method} ${subject}${id === undefined ? '' : '/id'}`) {
    case 'GET health':
      return answerJson(response, 200, { status: 'ok' });
    case 'POST secret':
      return learnSecret(body, response, secrets);
    case 'GET call': {
      const transactionId = url.searchParams.get('transaction_id');
      const capabilityId = url.searchParams.get('capability_id');
      return answerJson(response, 200, { items: calls.list({ transactionId, capabilityId }) });
    }
    case 'DELETE call':
      calls.forget();
      return answerJson(response, 200, { deleted: true });
    case 'GET transaction/id':
      return answerJson(response, 200, { transaction_id: id, ...calls.tally(id ?? '') });
    default:
      return answerJson(response, 404, { error: 'no such control' });
  }
}

function learnSecret(body: string, response: ServerResponse, secrets: SecretStore): void {
  try {
    const { capability_id, callback_secret } = JSON.parse(body) as Record<string, unknown>;
    if (typeof capability_id !== 'string' || typeof callback_secret !== 'string') {
      return answerJson(response, 422, { error: 'capability_id and callback_secret must be texts' });
    }
    secrets.trust(capability_id, callback_secret);
    return answerJson(response, 200, { capability_id });
  } catch (error) {
    return answerJson(response, 422, { error: String(error) });
  }
}
