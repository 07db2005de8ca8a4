/** How somebody showed who they are. `operator`: a person of the staff at the support command. */
export const auditCredentials = ['none', 'bearer', 'api_key', 'device_code', 'operator'] as const;
export type AuditCredential = (typeof auditCredentials)[number];

/** By which request a step of a transaction was asked for; written into the trail together with the step. */
export interface RequestTrace {
  readonly credential: AuditCredential;
  readonly api_key_id: string | null;
  readonly address: string | null;
  readonly request_id: string;
}

/** What is written down: first what it was done to, then what. */
export const auditActions = [
  'user.register',
  'user.sign_in',
  'user.sign_in_refused',
  'user.sign_out',
  'user.sign_out_everywhere',
  'user.change_password',
  'user.change_password_refused',
  'user.reuse_refresh_token',
  'device_session.start',
  'device_session.approve',
  'device_session.deny',
  'device_session.wrong_code',
  'device_session.hand_out_key',
  'platform.create',
  'platform.grant',
  'platform.revoke_grant',
  'connection.revoke',
  'connection.revoke_key',
  'api_key.create',
  'api_key.update',
  'api_key.rotate',
  'api_key.revoke',
  'api_key.refused',
  'wallet.credit',
  'wallet.read',
  'transaction.create',
  'transaction.freeze',
  'transaction.accept',
  'transaction.reject',
  'transaction.deliver',
  'transaction.confirm',
  'transaction.cancel',
  'transaction.dispute',
  'transaction.request_changes',
  'transaction.resolve',
  'transaction.read',
  'transaction.signal',
  'transaction.resume',
  'capability.create',
  'capability.update',
  'capability.delete',
  'capability.rotate_secret',
  'webhook.create',
  'webhook.update',
  'webhook.delete',
  'webhook.rotate_secret',
  'audit.read',
] as const;
export type AuditAction = (typeof auditActions)[number];

/** What something was done to; `type` is the noun, `id` a UUID or, for what has none, a hash. */
export interface AuditTarget {
  readonly type:
    | 'user'
    | 'account'
    | 'session'
    | 'device_session'
    | 'platform'
    | 'api_key'
    | 'transaction'
    | 'capability'
    | 'webhook';
  readonly id: string;
}

/** Ids, names of fields, amounts and counts; never what a secret, a code or a text of somebody's is. */
export type AuditData = Readonly<Record<string, string | number | boolean | null | undefined | readonly string[]>>;

/** One line of the trail: who did what, to what, by which credential, from where, in which request. */
export interface AuditEntry {
  readonly at: Date;
  readonly action: AuditAction;
  /** The user who acted, or for whom a key did; null where nobody was known. */
  readonly actorUserId: string | null;
  readonly credential: AuditCredential;
  /** Set exactly where the credential is an API key. */
  readonly apiKeyId: string | null;
  /** Null where the proxy in front named none. */
  readonly address: string | null;
  readonly requestId: string;
  readonly target: AuditTarget | null;
  readonly data: AuditData;
}
