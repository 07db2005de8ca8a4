import { randomUUID } from 'node:crypto';
import { tellFacts } from './narrator.ts';
import { Person } from './person.ts';
import type { ServiceClient } from './service-client.ts';
import { makeShownOnce } from './shown-once.ts';
import * as wire from './wire.ts';

/** Gives somebody an agent: a platform with a key, and the right to act for this one user. */
export async function enrolAgent(client: ServiceClient, admin: Person, user: Person): Promise<Person> {
  const name = `Demo platform ${randomUUID().slice(0, 8)}`;
  const { id } = await admin.write('/api/v1/admin/platforms', { name }, wire.platform);
  const { made, secret } = await makeShownOnce(
    () => admin.write(`/api/v1/admin/platforms/${id}/keys`, { name: 'demo' }, wire.apiKey),
    (key) => key.api_key,
    (keyId) => admin.remove(`/api/v1/admin/keys/${keyId}`),
  );
  await admin.write(`/api/v1/admin/platforms/${id}/grants`, { user_id: user.userId }, wire.platformGrant);
  tellFacts({ platform: name, 'X-Api-Key': `${made.prefix}…`, 'X-Platform-User-Id': user.userId });
  const credentials = { 'x-api-key': secret, 'x-platform-user-id': user.userId };
  return new Person(client, `${user.name}’s agent`, user.userId, credentials);
}
