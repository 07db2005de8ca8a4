/** Who calls, as the authentication method tells: `agent` by API key, `human` by bearer token. */
export type CallerType = 'agent' | 'human';
export const callerTypes = ['agent', 'human'] as const satisfies readonly CallerType[];

export type Role = 'user' | 'support' | 'admin';
export const roles = ['user', 'support', 'admin'] as const satisfies readonly Role[];

/** An authenticated caller. For an agent `userId` is the user on whose behalf the key acts. */
export interface Caller {
  readonly userId: string;
  readonly callerType: CallerType;
  readonly roles: readonly Role[];
  /** The key that an agent used; null for a human. */
  readonly apiKeyId: string | null;
}

/** True for a signed-in administrator; false for every API key. */
export function isAdmin(caller: Caller): boolean {
  // An API key never carries an administrator's power, even when it acts for one.
  return caller.callerType === 'human' && caller.roles.includes('admin');
}
