import type { Caller } from '../../domain/caller.ts';

/** A signature that held once goes on to hold; checking it costs more than the rest of a read. */
const rememberedTokens = 10_000;

/** Tokens that were checked, each with its caller, until a time. */
export interface RememberedTokens {
  get(token: string, now: Date): Caller | null;
  set(token: string, caller: Caller, untilMs: number): void;
}

/** A bounded memory; the oldest goes first. */
export function rememberTokens(): RememberedTokens {
  const known = new Map<string, { readonly caller: Caller; readonly untilMs: number }>();
  return {
    get: (token, now) => {
      const entry = known.get(token);
      return entry !== undefined && now.getTime() < entry.untilMs ? entry.caller : null;
    },
    set: (token, caller, untilMs) => {
      // A Map keeps the order of insertion.
      const oldest = known.size >= rememberedTokens ? known.keys().next().value : undefined;
      if (oldest !== undefined) known.delete(oldest);
      known.set(token, { caller, untilMs });
    },
  };
}
