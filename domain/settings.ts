import { z } from 'zod';

/** What the environment may say. A duration is written like `72h`, `30m`, `2s`, `500ms`. */

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

const duration = z
  .string()
  .regex(/^[1-9]\d{0,8}(ms|s|m|h|d)$/, 'must be a duration like 72h, 30m or 2s')
  .transform((text) => {
    const match = /^(\d+)(ms|s|m|h|d)$/.exec(text);
    return Number(match?.[1]) * unitMs[(match?.[2] ?? 'ms') as keyof typeof unitMs];
  });

const flag = z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true');
const address = z.url('must be an address like http://host:port');
const optional = <T extends z.ZodType>(schema: T) => schema.optional().transform((value) => value ?? null);
const rate = z.string().regex(/^0(\.\d{1,6})?$/, 'must be a decimal from 0 to below 1, like 0.025');
const amount = z.string().regex(/^(0|[1-9]\d{0,13})(\.\d{1,6})?$/, 'must be a UT amount like 100 or 12.50');
const count = z.coerce.number('must be a whole number').int('must be a whole number').min(1);

/** Waits between attempts, like `5s,5m,2h`. */
const schedule = z
  .string()
  .transform((text) => text.split(',').map((wait) => wait.trim()))
  .pipe(z.array(duration).min(1).max(20));

const settingsShape = z.object({
  PORT: z.coerce.number('must be a port').int().min(0).max(65_535).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  PUBLIC_URL: optional(address),
  DATA_DIR: z.string().min(1).default('.data'),
  DATABASE_URL: optional(z.string().regex(/^postgres(ql)?:\/\//, 'must be an address like postgres://user@host/db')),
  DATABASE_POOL_SIZE: count.max(200).default(20),
  TEMPORAL_ADDRESS: optional(z.string().regex(/^[^\s/]+:\d{1,5}$/, 'must be host:port')),
  TEMPORAL_NAMESPACE: z.string().min(1).default('marketplace'),
  TEMPORAL_API_KEY: optional(z.string().min(1)),
  TEMPORAL_TLS_CA_FILE: optional(z.string().min(1)),
  TEMPORAL_TLS_CERT_FILE: optional(z.string().min(1)),
  TEMPORAL_TLS_KEY_FILE: optional(z.string().min(1)),
  BOOTSTRAP_ADMIN_EMAIL: optional(z.email('must be an e-mail address')),
  BOOTSTRAP_ADMIN_PASSWORD: optional(
    z.string().min(12, 'must have at least 12 characters').max(200, 'must have at most 200 characters'),
  ),
  FREEZE_TIMEOUT: duration.default(24 * unitMs.h),
  ACCEPTANCE_TIMEOUT: duration.default(48 * unitMs.h),
  DELIVERY_TIMEOUT: duration.default(72 * unitMs.h),
  AUTO_CONFIRM_AFTER: duration.default(72 * unitMs.h),
  DISPUTE_TIMEOUT: duration.default(720 * unitMs.h),
  FEE_RATE: rate.default('0'),
  CALLBACK_ALLOW_PRIVATE: flag.default(false),
  CALLBACK_CONCURRENCY: count.max(2_000).default(500),
  CALLBACK_MAX_PER_HOST: count.max(2_000).default(100),
  CALLBACK_DNS_SERVERS: z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((server) => server.trim() || [])),
  CALLBACK_SECRET_OVERLAP: duration.default(24 * unitMs.h),
  WEBHOOK_RETRY_SCHEDULE: schedule.prefault('5s,5m,30m,2h,5h,10h,14h,20h,24h'),
  WEBHOOK_TIMEOUT: duration.default(15 * unitMs.s).refine((ms) => ms <= 2 * unitMs.m, 'must be at most 2m'),
  WEBHOOK_DISABLE_AFTER: duration.default(5 * unitMs.d),
  WEBHOOK_DELIVERIES_KEPT: duration.default(30 * unitMs.d),
  WEBHOOK_CONCURRENCY: count.max(2_000).default(500),
  WEBHOOK_MAX_PER_HOST: count.max(2_000).default(50),
  DEVICE_SESSION_LIFE: duration.default(10 * unitMs.m),
  DEVICE_POLL_INTERVAL: duration
    .default(5 * unitMs.s)
    .refine((ms) => ms >= unitMs.s && ms <= 10 * unitMs.m, 'must be between 1s and 10m'),
  RATE_LIMIT_PER_MIN: count.default(600),
  STREAMS_PER_USER: count.max(1_000).default(20),
  STREAMS_PER_PROCESS: count.max(100_000).default(5_000),
  STREAM_RECHECK_INTERVAL: duration
    .default(15 * unitMs.s)
    .refine((ms) => ms >= 100 && ms <= 5 * unitMs.m, 'must be between 100ms and 5m'),
  SECRET_KEY: optional(
    z.string().regex(/^[A-Za-z0-9+/]{43}=$/, 'must be 32 bytes in base64, as made by: openssl rand -base64 32'),
  ),
  OIDC_ISSUER: optional(
    address.regex(/^https:|^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|\/|$)/, 'must be https, but on this machine'),
  ),
  OIDC_AUDIENCE: optional(z.string().min(1)),
  OIDC_JWKS_URL: optional(address.regex(/^https?:/, 'must be http or https')),
  SIGNUP_GRANT_UT: amount.default('0'),
  CORS_ORIGINS: z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((origin) => origin.trim() || [])),
  TRUST_PROXY: flag.default(false),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

/** Every variable of the environment that is looked at. */
export const settingNames: readonly string[] = Object.keys(settingsShape.shape);

type Raw = z.output<typeof settingsShape>;

const settingsSchema = settingsShape.superRefine((raw, context) => {
  const wrong = (name: keyof Raw, message: string) => context.addIssue({ code: 'custom', path: [name], message });
  if (raw.OIDC_ISSUER !== null && raw.OIDC_AUDIENCE === null) wrong('OIDC_AUDIENCE', 'must be set with OIDC_ISSUER');
  if (raw.OIDC_ISSUER === null && raw.OIDC_AUDIENCE !== null) wrong('OIDC_ISSUER', 'must be set with OIDC_AUDIENCE');
  if (raw.OIDC_ISSUER === null && raw.OIDC_JWKS_URL !== null) wrong('OIDC_ISSUER', 'must be set with OIDC_JWKS_URL');
  if (raw.OIDC_ISSUER !== null && raw.OIDC_ISSUER === raw.PUBLIC_URL) wrong('OIDC_ISSUER', 'must not be PUBLIC_URL');
});

/** An issuer of access tokens in place of the built-in sign-in. `jwksUrl` null: found by the issuer's metadata. */
export interface OidcSettings {
  /** Exactly as in the claim `iss`, a slash at the end included. */
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUrl: string | null;
}

/** Camel-cased settings; durations carry their unit in the name. */
export type Settings = ReturnType<typeof named>;

/** Parses the environment once. Throws an Error that names every wrong setting; unknown variables are not ours. */
export function parseSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = settingsSchema.safeParse(given);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`Wrong settings in the environment:\n${lines.join('\n')}`);
  }
  return named(parsed.data);
}

function named(raw: Raw) {
  return {
    port: raw.PORT,
    host: raw.HOST,
    publicUrl: raw.PUBLIC_URL?.replace(/\/+$/, '') ?? `http://${raw.HOST}:${raw.PORT}`,
    dataDir: raw.DATA_DIR,
    databaseUrl: raw.DATABASE_URL,
    databasePoolSize: raw.DATABASE_POOL_SIZE,
    temporalAddress: raw.TEMPORAL_ADDRESS,
    temporalNamespace: raw.TEMPORAL_NAMESPACE,
    temporalApiKey: raw.TEMPORAL_API_KEY,
    temporalTls: {
      caFile: raw.TEMPORAL_TLS_CA_FILE,
      certFile: raw.TEMPORAL_TLS_CERT_FILE,
      keyFile: raw.TEMPORAL_TLS_KEY_FILE,
    },
    bootstrapAdminEmail: raw.BOOTSTRAP_ADMIN_EMAIL,
    bootstrapAdminPassword: raw.BOOTSTRAP_ADMIN_PASSWORD,
    transactionTerms: {
      freezeTimeoutMs: raw.FREEZE_TIMEOUT,
      acceptanceTimeoutMs: raw.ACCEPTANCE_TIMEOUT,
      deliveryTimeoutMs: raw.DELIVERY_TIMEOUT,
      autoConfirmAfterMs: raw.AUTO_CONFIRM_AFTER,
      disputeTimeoutMs: raw.DISPUTE_TIMEOUT,
      feeRate: raw.FEE_RATE,
    },
    callbackAllowPrivate: raw.CALLBACK_ALLOW_PRIVATE,
    callbackConcurrency: raw.CALLBACK_CONCURRENCY,
    callbackMaxPerHost: raw.CALLBACK_MAX_PER_HOST,
    callbackDnsServers: raw.CALLBACK_DNS_SERVERS,
    callbackSecretOverlapMs: raw.CALLBACK_SECRET_OVERLAP,
    webhookRetryScheduleMs: raw.WEBHOOK_RETRY_SCHEDULE,
    webhookTimeoutMs: raw.WEBHOOK_TIMEOUT,
    webhookDisableAfterMs: raw.WEBHOOK_DISABLE_AFTER,
    webhookDeliveriesKeptMs: raw.WEBHOOK_DELIVERIES_KEPT,
    webhookConcurrency: raw.WEBHOOK_CONCURRENCY,
    webhookMaxPerHost: raw.WEBHOOK_MAX_PER_HOST,
    deviceSessionLifeMs: raw.DEVICE_SESSION_LIFE,
    devicePollIntervalMs: raw.DEVICE_POLL_INTERVAL,
    rateLimitPerMin: raw.RATE_LIMIT_PER_MIN,
    streamsPerUser: raw.STREAMS_PER_USER,
    streamsPerProcess: raw.STREAMS_PER_PROCESS,
    streamRecheckMs: raw.STREAM_RECHECK_INTERVAL,
    secretKey: raw.SECRET_KEY,
    oidc: oidcOf(raw),
    signupGrantUt: raw.SIGNUP_GRANT_UT,
    corsOrigins: raw.CORS_ORIGINS,
    trustProxy: raw.TRUST_PROXY,
    logLevel: raw.LOG_LEVEL,
  };
}

function oidcOf({ OIDC_ISSUER: issuer, OIDC_AUDIENCE: audience, OIDC_JWKS_URL: jwksUrl }: Raw): OidcSettings | null {
  return issuer === null || audience === null ? null : { issuer, audience, jwksUrl };
}
