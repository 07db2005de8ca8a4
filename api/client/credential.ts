import type { components } from './generated/component.ts';
import type { Headers } from './transport.ts';

type Session = components['schemas']['Session'];

/** Who calls: an agent by its platform's key, a human by a token, or a human by a session that renews itself. */
export type Credentials =
  | { readonly apiKey: string; readonly userId: string }
  | { readonly accessToken: string }
  | {
      /** As `POST /api/v1/auth/login` answers it. */
      readonly session: Session;
      /** Told each time the session was renewed; keep it, as the refresh token before works no more. */
      readonly onSession?: ((session: Session) => void) | undefined;
    };

/** Credentials as headers, renewed when the service says that they have expired. */
export class Credential {
  readonly #credentials: Credentials | undefined;
  readonly #refresh: (refreshToken: string) => Promise<Session>;
  #session: Session | null;
  #renewing: Promise<void> | null = null;

  constructor(credentials: Credentials | undefined, refresh: (refreshToken: string) => Promise<Session>) {
    this.#credentials = credentials;
    this.#refresh = refresh;
    this.#session = credentials !== undefined && 'session' in credentials ? credentials.session : null;
  }

  headers(): Headers {
    if (this.#session !== null) return { authorization: `Bearer ${this.#session.access_token}` };
    const given = this.#credentials;
    if (given === undefined) return {};
    if ('apiKey' in given) return { 'x-api-key': given.apiKey, 'x-platform-user-id': given.userId };
    return 'accessToken' in given ? { authorization: `Bearer ${given.accessToken}` } : {};
  }

  /** Makes sure that the next headers are others than these. False where there is nothing to renew them by. */
  async renew(expired: Headers): Promise<boolean> {
    if (this.#session === null) return false;
    // Of calls that expire together the first renews for all: a refresh token works once.
    if (expired['authorization'] === this.headers()['authorization']) {
      this.#renewing ??= this.#renew(this.#session).finally(() => {
        this.#renewing = null;
      });
      await this.#renewing;
    }
    return true;
  }

  async #renew({ refresh_token }: Session): Promise<void> {
    const session = await this.#refresh(refresh_token);
    this.#session = session;
    if (this.#credentials !== undefined && 'session' in this.#credentials) this.#credentials.onSession?.(session);
  }
}
