import { webhookDeliveryWorkflowId, webhookRelayWorkflowId } from '../../workflows/webhook-messages.ts';
import type { Service } from '../harness.ts';
import type { Receiver } from '../webhook/receiver.ts';
import { deliveriesOf, freshPath, subscribe, tell, untilEnded, webhooks } from '../webhook/subscription.ts';

/** A way of a webhook's workflow, which answers its id once it has gone it. */
type WebhookWay = (service: Service, receiver: Receiver) => Promise<string>;

/** A delivery whose first answers are these, and the id of its workflow when that has ended. */
function delivered(answers: readonly number[]): WebhookWay {
  return async (service, receiver) => {
    const [person, path] = [await service.human(), freshPath()];
    receiver.answer(path, (ordinal) => answers[ordinal - 1] ?? 204);
    const { id } = await subscribe(person, receiver.urlOf(path));
    await tell(service, person);
    await receiver.until(path, 1);
    const [delivery] = await untilEnded(person, id, 1);
    const workflowId = webhookDeliveryWorkflowId(String(delivery?.['id']), 1);
    await service.temporal.workflow.getHandle(workflowId).result();
    return workflowId;
  };
}

/** Every way of the workflows of webhooks. */
export const webhookWays: Readonly<Record<string, WebhookWay>> = {
  'webhook-delivered': delivered([]),
  'webhook-delivered-on-the-third-attempt': delivered([500, 404]),
  'webhook-given-up': delivered([500, 500, 500, 500]),
  'webhook-gone': delivered([410]),
  'webhook-cancelled-while-it-waits': async (service, receiver) => {
    const [person, path] = [await service.human(), freshPath()];
    receiver.answer(path, { status: 503, headers: { 'retry-after': '1' } });
    const { id } = await subscribe(person, receiver.urlOf(path));
    await tell(service, person);
    await receiver.until(path, 1);
    const [delivery] = await deliveriesOf(person, id);
    await person.call('DELETE', `${webhooks}/${id}`);
    const workflowId = webhookDeliveryWorkflowId(String(delivery?.['id']), 1);
    await service.temporal.workflow.getHandle(workflowId).result();
    return workflowId;
  },
  'webhook-relay-that-changes-hands': async (service, receiver) => {
    await service.restartWorker();
    await delivered([])(service, receiver);
    return webhookRelayWorkflowId(service.taskQueue);
  },
};
