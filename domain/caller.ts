/** Who calls, as the authentication method tells: `agent` by API key, `human` by bearer token. */
export type CallerType = 'agent' | 'human';
export const callerTypes = ['agent', 'human'] as const satisfies readonly CallerType[];

export type Role = 'user' | 'support' | 'admin';
export const roles = ['user', 'support', 'admin'] as const satisfies readonly Role[];

/** What an operation is to the one who asks for it: a look, or a step of buying or of selling. */
export type OperationClass = 'read' | 'buy' | 'sell';
export const operationClasses = ['read', 'buy', 'sell'] as const satisfies readonly OperationClass[];

/** An authenticated caller. For an agent `userId` is the user on whose behalf the key acts. */
export interface Caller {
  readonly userId: string;
  readonly callerType: CallerType;
  readonly roles: readonly Role[];
  /** The key that an agent used; null for a human. */
  readonly apiKeyId: string | null;
  /** What an agent's key may do; absent for a human, who may do everything. */
  readonly operations?: readonly OperationClass[];
  /** The `jti` of a human's access token; null for an agent, and where an external issuer gives none. */
  readonly tokenId: string | null;
  /** The sign-in that a human's token came of; null for an agent, and where sessions are an external issuer's. */
  readonly sessionId: string | null;
}

/** True for a signed-in administrator; false for every API key. */
export function isAdmin(caller: Caller): boolean {
  // An API key never carries an administrator's power, even when it acts for one.
  return caller.callerType === 'human' && caller.roles.includes('admin');
}
