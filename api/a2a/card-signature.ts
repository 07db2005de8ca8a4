import { canonicalizeAgentCard, type AgentCard, type AgentCardSignature } from '@a2a-js/sdk';
import { FlattenedSign } from 'jose';
import { signingAlgorithm, type SigningKeys } from '../../domain/store/signing-key-ring.ts';

type CardKeys = Pick<SigningKeys, 'kid' | 'privateKey'>;

/**
 * A card with its signatures (A2A 1.0, section 8.4): detached JWS over JCS (RFC 8785). The first is over the members of 1.0,
 * as the SDKs read them; they leave out members of other versions and whatever is empty. The second is over the whole
 * document as it is served, but for `signatures`. The same card and key give the same bytes on every node.
 */
export async function signCard(
  card: Readonly<Record<string, unknown>>,
  keys: CardKeys,
  jwksUrl: string,
): Promise<Record<string, unknown>> {
  const { signatures: _none, ...unsigned } = card;
  // The SDK reads the members out of JSON by itself.
  const payloads = [canonicalizeAgentCard(unsigned as unknown as AgentCard), canonicalJson(unsigned)];
  const signatures = payloads.map(async (payload) => await signatureOf(payload, keys, jwksUrl));
  return { ...unsigned, signatures: await Promise.all(signatures) };
}

async function signatureOf(
  payload: string,
  { kid, privateKey }: CardKeys,
  jku: string,
): Promise<Omit<AgentCardSignature, 'header'>> {
  const jws = await new FlattenedSign(Buffer.from(payload))
    .setProtectedHeader({ alg: signingAlgorithm, typ: 'JOSE', kid, jku })
    .sign(privateKey);
  return { protected: jws.protected ?? '', signature: jws.signature };
}

/** JSON after RFC 8785: members in the order of their names, nothing between. Of values that JSON.parse could have made. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, one]) => `${JSON.stringify(name)}:${canonicalJson(one)}`).join(',')}}`;
}
