import { randomUUID } from 'node:crypto';
import { tellFacts } from './narrator.ts';
import { Person } from './person.ts';
import type { Service } from './service.ts';
import { makeShownOnce } from './shown-once.ts';
import * as wire from './wire.ts';

/** Gives somebody an agent: a platform with a key, and the right to act for this one user. */
export async function enrolAgent(service: Service, admin: Person, user: Person): Promise<Person> {
  const name = `Demo platform ${randomUUID().slice(0, 8)}`;
  const { id } = await admin.administer('post', '/api/v1/admin/platforms', { name }, wire.platform);
  const { made, secret } = await makeShownOnce(
    () => admin.administer('post', `/api/v1/admin/platforms/${id}/keys`, { name: 'demo' }, wire.apiKey),
    (key) => key.api_key,
    async (keyId) => void (await admin.administer('delete', `/api/v1/admin/keys/${keyId}`, undefined, wire.revoked)),
  );
  const granted = { user_id: user.userId };
  await admin.administer('post', `/api/v1/admin/platforms/${id}/grants`, granted, wire.platformGrant);
  tellFacts({ platform: name, 'X-Api-Key': `${made.prefix}…`, 'X-Platform-User-Id': user.userId });
  return new Person(service, `${user.name}’s agent`, user.userId, { apiKey: secret, userId: user.userId });
}
