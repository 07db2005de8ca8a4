import { AddressRefused, TlsFailed } from './guarded-connector.ts';
import { Unresolvable } from './resolver.ts';

/** Why a request had no answer that could be judged. Names nothing of the platform's network. */
export type Fault = 'address_refused' | 'host_busy' | 'timed_out' | 'unresolvable' | 'connection_failed' | 'tls_failed';

/** What an error of the exchange means. Throws it where it is no fault of the other side. */
export function faultOf(error: unknown): Fault {
  if (error instanceof AddressRefused) return 'address_refused';
  if (error instanceof Unresolvable) return 'unresolvable';
  if (error instanceof TlsFailed) return 'tls_failed';
  const code = error instanceof Error && 'code' in error ? String(error.code) : null;
  if (code === null || code === 'UND_ERR_INVALID_ARG') throw error;
  // A server may ask for a certificate of ours, and complain, when the connection already stands.
  return /^(ERR_SSL_|ERR_TLS_|EPROTO)/.test(code) ? 'tls_failed' : 'connection_failed';
}
