import { createHash, randomBytes } from 'node:crypto';
import type { TaskView } from '../../domain/a2a/task-view.ts';
import type { CapabilityRecord } from '../../domain/capability/capability.ts';
import { isUuid } from './task-id.ts';

/** What an agent is told of a capability that may be what it asked for. */
export interface Proposal {
  readonly capability_id: string;
  readonly title: string;
  readonly description: string;
  readonly category: string;
  readonly pricing_model: string;
  readonly price_ut: string;
  readonly quality_score: string;
}

const maxWords = 20;
const shownCapabilities = 5;

/** The words of a demand that can tell capabilities apart: those of three letters and more, each once. */
export function wordsOf(text: string): string[] {
  return [...new Set(partsOf(text))].slice(0, maxWords);
}

function partsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]{3,40}/gu) ?? [];
}

/** A query that any of the words answers; websearch syntax. */
export function anyOf(words: readonly string[]): string {
  return words.map((word) => `"${word}"`).join(' or ');
}

/** Those with the most of the words first, in their own order where they have as many. */
export function bestOf(words: readonly string[], found: readonly CapabilityRecord[]): Proposal[] {
  const scored = found.map((capability) => ({ capability, score: scoreOf(words, capability) }));
  const ranked = scored.toSorted((a, b) => b.score - a.score).slice(0, shownCapabilities);
  return ranked.map(({ capability }) => ({
    capability_id: capability.id,
    title: capability.title,
    description: capability.description,
    category: capability.category,
    pricing_model: capability.pricing_model,
    price_ut: capability.price_ut,
    quality_score: capability.quality_score,
  }));
}

/** How many of the words it has; one in the title or a tag counts a little more. */
function scoreOf(words: readonly string[], { title, description, tags }: CapabilityRecord): number {
  const named = new Set(partsOf(`${title} ${tags.join(' ')}`));
  const told = new Set(partsOf(description));
  return words.reduce((sum, word) => sum + (named.has(word) ? 1.01 : told.has(word) ? 1 : 0), 0);
}

/**
 * The id of a task of which nothing was bought yet. Nothing is stored for it: the id itself shows whose it is, and the
 * purchase takes it over as the transaction's id.
 */
export function newProposalId(userId: string): string {
  return proposalIdOf(userId, randomBytes(8));
}

/** True for an id that newProposalId made for this user. */
export function isProposalId(id: string, userId: string): boolean {
  if (!isUuid(id)) return false;
  const nonce = Buffer.from(id.replaceAll('-', ''), 'hex').subarray(0, 8);
  return proposalIdOf(userId, nonce) === id.toLowerCase();
}

function proposalIdOf(userId: string, nonce: Uint8Array): string {
  const bytes = Buffer.alloc(16);
  bytes.set(nonce);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  const mark = createHash('sha256').update(`a2a proposal ${userId} `).update(bytes.subarray(0, 8)).digest();
  bytes.set(mark.subarray(0, 8), 8);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** A task of which nothing was bought yet: the answer to a demand in words. */
export function proposalTask(id: string, contextId: string, at: Date, proposals: readonly Proposal[] | null): TaskView {
  return {
    id,
    contextId,
    status: 'pending',
    changedAt: at.toISOString(),
    message: {
      text: proposalText(proposals),
      data: proposals === null ? null : { proposals },
    },
    result: null,
    metadata: { transaction: null },
  };
}

function proposalText(proposals: readonly Proposal[] | null): string {
  const how = 'To buy, send a data part with a capability_id on this task; metadata {"freeze": true} freezes at once.';
  if (proposals === null) return `Nothing was bought yet. ${how}`;
  if (proposals.length === 0)
    return 'Nothing on offer has these words. Try others, or browse GET /api/v1/capabilities.';
  const lines = proposals.map(({ title, price_ut, pricing_model }) => `- ${title}: ${price_ut} UT ${pricing_model}`);
  return [`These may be what you look for:`, ...lines, how].join('\n');
}
