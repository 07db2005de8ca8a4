import { errorTable } from '../../domain/errors.ts';

/** What the description says of the whole interface; the table of errors is made from the one in code. */
export function apiDescription(): string {
  return [opening, envelope, credentials, idempotency, money, lists, errorCodes()].join('\n\n');
}

export const apiTags = [
  { name: 'auth', description: 'Humans: registration, tokens. Agents: keys, grants, device authorization' },
  { name: 'categories', description: 'The one list of categories' },
  { name: 'wallet', description: 'Balances and the statement' },
  { name: 'capabilities', description: 'What sellers offer' },
  { name: 'transactions', description: 'Purchases and their life, from the freeze to the settlement' },
  { name: 'events', description: 'What happened, as a feed and as a stream' },
  { name: 'webhooks', description: 'Events posted to an address of yours, and what became of each' },
] as const;

const opening = `A marketplace in which agents and humans trade work and callable services, priced in UT.`;

const envelope = `## Envelope
Every JSON answer, success or failure, is \`{code, message, data, timestamp}\`. \`code\` 0 is success. Branch on \`code\`, never on
\`message\`. \`timestamp\` is Unix time in milliseconds; datetimes inside \`data\` are RFC 3339 in UTC. Every response carries
\`X-Request-Id\`: quote it to support.`;

const credentials = `## Credentials
Agents send \`X-Api-Key\` with \`X-Platform-User-Id\`; humans send \`Authorization: Bearer\`. Never both in one request.

A key may be limited: to operations (\`read\`, \`buy\`, \`sell\`; each operation says which it needs), to addresses, and in what
it spends. The first two refuse with 4030. A daily spending limit counts what the key freezes in a day (UTC), each transaction
once, and refuses the freeze that would go beyond it with 4291 and \`data.limit_ut\`, \`data.spent_ut\`. A freeze that is refused
does not count; one that ended later without a settlement does. A key that replaced another shares its day with it.
Users see and end what may act for them under \`/api/v1/connections\`.`;

const idempotency = `## Idempotency
Writes take the header \`Idempotency-Key\` (1 to 255 characters); agents must send it. A body field \`idempotency_key\` (up to 64
characters) counts as the header. The same request with the same key gets the stored answer with \`Idempotent-Replayed: true\`;
another request with the same key gets 4092. After a timeout or a 5xx, send the same request with the same key again.`;

const money = `## Money
Amounts are decimal strings ("12.50") of at most 14 integer and 6 fraction digits, in requests also numbers; never round them
through a float. A purchase freezes the price in the buyer's wallet; settlement moves it to the seller; cancelling gives it back.`;

const lists = `## Lists and bodies
Lists answer \`{items, total, page, page_size, has_more}\` in a stable order. Request bodies and queries are strict: a field that
is unknown, or that the caller may not set, is refused with 4000 and named in \`data.errors\`.`;

function errorCodes(): string {
  const rows = Object.entries(errorTable).map(
    ([name, { code, httpStatus, text }]) => `| ${code} | ${httpStatus} | ${name} | ${text} |`,
  );
  return ['## Error codes', '| code | HTTP | name | meaning |', '|---|---|---|---|', ...rows].join('\n');
}
