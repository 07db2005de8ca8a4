// Made by `npm run client:generate` from the OpenAPI description of the service; changes are lost.

export interface paths {
  '/api/v1/categories': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List every category */
    get: operations['listCategories'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/auth/register': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Register a human user
     * @description A taken address is answered 4093 and counts as a failure of the network address, as a failed sign-in does. Where an external issuer is set, 4030 says where to sign in.
     */
    post: operations['register'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/auth/login': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Sign in with e-mail address and password
     * @description After 10 failures for an account, or 100 from an address, within 15 minutes: 4290, whether the account exists or not. Sessions that are open go on. Where an external issuer is set, 4030 says where to sign in.
     */
    post: operations['login'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/auth/refresh': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Trade a refresh token for a new session
     * @description A refresh token works once and lives 30 days. Using it a second time ends the session, access tokens included; there is no grace for a lost answer: sign in again.
     */
    post: operations['refreshSession'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/auth/logout': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * End a session
     * @description Revokes the refresh token and all that came of the same sign-in; its access tokens stop with it.
     */
    post: operations['logout'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/auth/logout-all': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * End all my sessions
     * @description On every device, this one included. Access tokens stop at once. API keys are not touched.
     */
    post: operations['logoutAll'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/auth/password': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Change my password
     * @description Ends all other sessions. A wrong current password is 4030 and counts as a failed sign-in.
     */
    post: operations['changePassword'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/auth/me': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get the signed-in user */
    get: operations['getMe'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/auth/device-auth': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Ask a person for an API key
     * @description Show the person verification_url and user_code, then poll with device_code every interval seconds. At most 20 sessions of one address may wait at a time.
     */
    post: operations['startDeviceAuthorization'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/auth/device-auth/poll': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Ask whether the person has approved
     * @description Code 4801 while the person has not decided. A poll before the interval has passed gets 4802, and the interval grows by 5 seconds for good. Approved, every poll until the end of the session answers the same key.
     */
    post: operations['pollDeviceAuthorization'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/auth/device-auth/lookup': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * See which agent asks
     * @description For the page on which a person approves. 10 wrong codes of a person, or 20 of an address, in 10 minutes stop further tries.
     */
    get: operations['lookUpDeviceAuthorization'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/auth/device-auth/confirm': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Approve or deny what an agent asks
     * @description Final: the same decision again gets the same answer, any other 4093. Approval lets agents of this type that you approved act for you, until you revoke the grant of their platform.
     */
    post: operations['confirmDeviceAuthorization'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/connections': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the platforms and agents that may act for me
     * @description Newest first. `keys` are those that act for you only: the newest 20 that are in force.
     */
    get: operations['listConnections'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/connections/{platform_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Take from a platform the right to act for me
     * @description Its API keys stop working for this user at once, and those that act for this user only are revoked.
     */
    delete: operations['deleteConnection'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/connections/{platform_id}/keys/{key_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Revoke one key that acts for me only
     * @description It stops at once. The platform, and other keys of it, go on.
     */
    delete: operations['deleteConnectionKey'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/wallet': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the caller's wallet
     * @description API keys need the operation `read`.
     */
    get: operations['getWallet'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/wallet/entries': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the caller's statement, newest first
     * @description Append only: an entry never changes. Amounts are signed, and each account runs its own balance.
     *
     *     API keys need the operation `read`.
     */
    get: operations['listWalletEntries'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/capabilities': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Browse what is offered
     * @description All filters must hold. Also shows what is not available at present, unless `available=true` is given.
     *
     *     API keys need the operation `read`.
     */
    get: operations['listCapabilities'];
    put?: never;
    /**
     * Register a capability
     * @description With a `callback_url` the answer has, this once, the secret that its calls are signed with.
     *
     *     API keys need the operation `sell`.
     */
    post: operations['createCapability'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/capabilities/batch': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Register up to 50 capabilities
     * @description Each item succeeds or fails by itself; `results` tells which, in the order of `items`.
     *
     *     API keys need the operation `sell`.
     */
    post: operations['createCapabilities'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/capabilities/{cap_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read one capability
     * @description API keys need the operation `read`.
     */
    get: operations['getCapability'];
    /**
     * Change a capability
     * @description Only the owner. Fields that are left out stay as they are; null clears what may be empty. The first `callback_url` makes the signing secret, which the answer shows this once; a later one keeps it.
     *
     *     API keys need the operation `sell`.
     */
    put: operations['updateCapability'];
    post?: never;
    /**
     * Delete a capability
     * @description Only the owner. Transactions that were made before go on.
     *
     *     API keys need the operation `sell`.
     */
    delete: operations['deleteCapability'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/capabilities/{cap_id}/rotate-secret': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Replace the signing secret of the callback
     * @description Only the owner. Calls are signed by Standard Webhooks with `webhook-id`, `webhook-timestamp` and `webhook-signature`. Until `previous_expires_at` they carry a signature of the previous secret beside that of the new one, so that you can change over without refusing a call; at most three replaced secrets sign at the same time. With `immediately` every earlier secret ends at once: for one that has leaked.
     *
     *     API keys need the operation `sell`.
     */
    post: operations['rotateCallbackSecret'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/capabilities/{cap_id}/test-callback': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Call the callback address once, to try it out
     * @description Only the owner; at most 10 a minute. The call is that of an invocation, signed, with `test: true` in its body and the delivery as `transaction_id`; no money moves and it is not repeated. A call that fails is a test that succeeds: `code` is 0 and `outcome` tells. Answers when the call has ended, after `callback_timeout_sec` at the latest.
     *
     *     API keys need the operation `sell`.
     */
    post: operations['testCallback'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/capabilities/{cap_id}/deliveries': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the calls of the callback address, newest first
     * @description Only the owner. Every attempt is one record, also of a test; what was answered is not shown.
     *
     *     API keys need the operation `sell`.
     */
    get: operations['listCallbackDeliveries'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/capabilities/{cap_id}/invoke': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Call a capability and get its result, or the money back
     * @description Freezes the price, calls the seller within the capability’s `callback_timeout_sec`, then settles, or gives the money back with 5020 or 5040. The seller may answer that it delivers later: then `result` is null, nothing is charged yet, and the transaction waits for its delivery. The same Idempotency-Key gets the same outcome, also after a connection that broke; the seller is not called again.
     *
     *     API keys need the operation `buy`.
     */
    post: operations['invokeCapability'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/transactions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List your transactions, newest first
     * @description API keys need the operation `read`.
     */
    get: operations['listTransactions'];
    put?: never;
    /**
     * Buy a capability; the transaction waits for the freeze
     * @description API keys need the operation `buy`.
     */
    post: operations['createTransaction'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/transactions/{tx_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a transaction; buyer and seller only
     * @description API keys need the operation `read`.
     */
    get: operations['getTransaction'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/transactions/{tx_id}/freeze': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Buyer: freeze the price
     * @description API keys need the operation `buy`.
     */
    post: operations['freezeTransaction'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/transactions/{tx_id}/accept': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Seller: accept
     * @description API keys need the operation `sell`.
     */
    post: operations['acceptTransaction'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/transactions/{tx_id}/reject': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Seller: reject; the price goes back to the buyer
     * @description API keys need the operation `sell`.
     */
    post: operations['rejectTransaction'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/transactions/{tx_id}/confirm': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Buyer: confirm the delivery; settles at once
     * @description API keys need the operation `buy`.
     */
    post: operations['confirmTransaction'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/transactions/{tx_id}/cancel': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Buyer: cancel before acceptance; the price goes back
     * @description API keys need the operation `buy`.
     */
    post: operations['cancelTransaction'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/transactions/{tx_id}/deliver': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Seller: deliver, optionally with a small result
     * @description API keys need the operation `sell`.
     */
    post: operations['deliverTransaction'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/transactions/{tx_id}/dispute': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Buyer: dispute a delivery; stops the automatic confirmation
     * @description API keys need the operation `buy`.
     */
    post: operations['disputeTransaction'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/transactions/{tx_id}/request-changes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Buyer: ask for changes of a delivery, at most three times
     * @description API keys need the operation `buy`.
     */
    post: operations['requestChangesOfTransaction'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/webhooks': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List your webhooks, newest first
     * @description API keys need the operation `read`.
     */
    get: operations['listWebhooks'];
    put?: never;
    /**
     * Have events posted to an address of yours
     * @description Each event of your feed from now on is posted as `{type, timestamp, data}`, `data` being the event as `GET /api/v1/events` shows it; signed by Standard Webhooks (`webhook-id`, `webhook-timestamp`, `webhook-signature`) with the secret that this answer shows once. Answer 2xx within 15 s. Anything else, a redirect too, is tried again after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, later where you send Retry-After. An event may come twice, with the same `webhook-id`, and out of order: `data.seq` orders. 410 disables the webhook, and so do five days without success, or a delivery that used up its attempts while nothing else arrived; an event `webhook.disabled` then stands in your feed. At most 20 a user. A webhook whose address a platform’s key set ends with your grant to the platform.
     *
     *     API keys need the operation `sell`.
     */
    post: operations['createWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/webhooks/{webhook_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a webhook
     * @description API keys need the operation `read`.
     */
    get: operations['getWebhook'];
    /**
     * Change a webhook, stop it, or enable it again
     * @description Fields that are left out stay as they are. `status: enabled` forgets past failures and goes on with what happens from now on; what happened meanwhile is in `GET /api/v1/events`, and each cancelled delivery can be sent again.
     *
     *     API keys need the operation `sell`.
     */
    put: operations['updateWebhook'];
    post?: never;
    /**
     * Delete a webhook, its secret and its deliveries
     * @description API keys need the operation `sell`.
     */
    delete: operations['deleteWebhook'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/webhooks/{webhook_id}/rotate-secret': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Replace the signing secret of a webhook
     * @description Until `previous_expires_at` requests carry a signature of the previous secret beside that of the new one. With `immediately` every earlier secret ends at once: for one that has leaked.
     *
     *     API keys need the operation `sell`.
     */
    post: operations['rotateWebhookSecret'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/webhooks/{webhook_id}/test': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a test event
     * @description Posts an event `webhook.test`, signed as all others, also where the webhook is disabled. It is tried once; ask for the delivery to see what came of it. At most 10 a minute.
     *
     *     API keys need the operation `sell`.
     */
    post: operations['testWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/webhooks/{webhook_id}/deliveries': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List deliveries, newest first
     * @description Deliveries are kept for 30 days, unless the operator chose otherwise.
     *
     *     API keys need the operation `read`.
     */
    get: operations['listWebhookDeliveries'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a delivery: what is sent, and every attempt
     * @description What a receiver answers is not kept, but for its status.
     *
     *     API keys need the operation `read`.
     */
    get: operations['getWebhookDelivery'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/resend': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a delivery again
     * @description The same bytes under the same `webhook-id`, with all retries. Refused (4093) while the delivery is pending and while the webhook is disabled. At most 60 a minute.
     *
     *     API keys need the operation `sell`.
     */
    post: operations['resendWebhookDelivery'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/transactions/{tx_id}/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Follow a transaction (server-sent events)
     * @description Each event: `id` is its sequence number, `event` its type, `data` the event as JSON. Send the last id as Last-Event-ID to go on from there. Comments keep the connection alive. The stream ends after a terminal status, and when your credential ends.
     *
     *     API keys need the operation `read`.
     */
    get: operations['streamTransactionEvents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/v1/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read or follow everything that happens to you, in order
     * @description Events of all your transactions, as buyer and as seller, and of what else is yours. `seq` orders them, and nothing is ever added before a number that was shown: go on after `next_after`, or after the last event that you took, and none is lost or doubled, on whichever node. Numbers are not consecutive. An event appears some milliseconds after its change.
     *
     *     With `type`, a page may have fewer events than `limit`, even none, while `has_more` is true.
     *
     *     With `Accept: text/event-stream` (and not JSON) it is a stream of server-sent events: `id` is the sequence number, `event` the type, `data` the event as JSON. It goes on after the header `Last-Event-ID`, else after `after`, else with what happens from now on; the number of that place is sent first, as an `id` without data. Comments keep the connection alive. The stream ends when your credential does, some seconds later at most: come back with a new one and the last id. A slow client is caught up from the database; one that takes nothing for 30 s is cut off.
     *
     *     API keys need the operation `read`.
     */
    get: operations['listEvents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /**
     * @example {
     *       "items": [
     *         {
     *           "title": "Company register lookup",
     *           "description": "Answers who owns a company, from public registers.",
     *           "category": "data",
     *           "capability_type": "api",
     *           "pricing_model": "per_query",
     *           "price_ut": "0.50",
     *           "tags": [
     *             "company",
     *             "register"
     *           ],
     *           "callback_url": "https://seller.example/callback"
     *         }
     *       ]
     *     }
     */
    BatchCapabilityRequest: {
      items: components['schemas']['CapabilityBatchItem'][];
      /**
       * @description Counts as the header Idempotency-Key
       * @example order-4711
       */
      idempotency_key?: string;
    };
    BatchCapabilityResult: {
      total: number;
      succeeded: number;
      failed: number;
      results: {
        /** @description Position in the request, from 0 */
        index: number;
        success: boolean;
        data?: components['schemas']['WrittenCapability'];
        /**
         * @example {
         *       "code": 4000,
         *       "message": "The request has invalid fields. See data.errors.",
         *       "data": {
         *         "errors": []
         *       }
         *     }
         */
        error?: {
          code: number;
          message: string;
          data: {
            [key: string]: unknown;
          } | null;
        };
      }[];
    };
    CallbackDelivery: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      capability_id: string;
      /** @description The invocation that was called for; null for a test */
      transaction_id: string | null;
      test: boolean;
      /** @description Counts the calls of one invocation, from 1 */
      attempt: number;
      /** @description answered: 2xx with a JSON object. accepted: 202, delivered later. refused: final. failed: passing, for an invocation tried again while time is left. timed_out: no answer in time. null: under way, or never known because its worker was lost */
      outcome: ('answered' | 'accepted' | 'refused' | 'failed' | 'timed_out') | null;
      /** @description Why it was refused or failed; null otherwise */
      reason:
        | (
            | 'http_3xx'
            | 'http_4xx'
            | 'not_json_object'
            | 'answer_too_large'
            | 'address_refused'
            | 'no_secret'
            | 'http_5xx'
            | 'unresolvable'
            | 'connection_failed'
            | 'tls_failed'
            | 'host_busy'
            | 'cancelled'
          )
        | null;
      /** @description What the seller answered; null where no answer came */
      http_status: number | null;
      /** @description Milliseconds from the call to its end */
      latency_ms: number | null;
      /**
       * Format: date-time
       * @example 2026-11-21T09:00:00.000Z
       */
      started_at: string;
      /** @description null where outcome is */
      ended_at: string | null;
    };
    CallbackDeliveryPage: {
      items: components['schemas']['CallbackDelivery'][];
      total: number;
      page: number;
      page_size: number;
      has_more: boolean;
    };
    Capability: {
      /**
       * Format: uuid
       * @description Referred to elsewhere as capability_id
       */
      id: string;
      /**
       * Format: uuid
       * @description The registrant, from the credentials
       */
      agent_id: string;
      title: string;
      description: string;
      category: string;
      tags: string[];
      capability_type: components['schemas']['CapabilityType'];
      delivery_mode: components['schemas']['DeliveryMode'];
      pricing_model: components['schemas']['PricingModel'];
      price_ut: components['schemas']['Ut'];
      auto_accept_min_ut: components['schemas']['Ut'] | null;
      daily_limit: number | null;
      rate_limit_per_min: number | null;
      /** @description Shown to the owner only; null for everyone else */
      callback_url: string | null;
      callback_timeout_sec: number;
      /**
       * @description 0.00 to 5.00, from ratings
       * @example 0.00
       */
      quality_score: string;
      /** @description Transactions settled so far */
      total_sold: number;
      available: boolean;
      /**
       * Format: date-time
       * @example 2026-11-21T09:00:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @example 2026-11-21T09:00:00.000Z
       */
      updated_at: string;
    };
    /**
     * @example {
     *       "title": "Company register lookup",
     *       "description": "Answers who owns a company, from public registers.",
     *       "category": "data",
     *       "capability_type": "api",
     *       "pricing_model": "per_query",
     *       "price_ut": "0.50",
     *       "tags": [
     *         "company",
     *         "register"
     *       ],
     *       "callback_url": "https://seller.example/callback"
     *     }
     */
    CapabilityBatchItem: {
      /** @example Company register lookup */
      title: string;
      /** @example Answers who owns a company, from public registers. */
      description: string;
      /**
       * @description Code from GET /api/v1/categories
       * @example data
       */
      category: components['schemas']['CategoryCode'];
      capability_type: components['schemas']['CapabilityType'];
      pricing_model: components['schemas']['PricingModel'];
      /**
       * @description Unit price
       * @default 0.00
       */
      price_ut?: components['schemas']['UtAmount'];
      /**
       * @default []
       * @example [
       *       "company",
       *       "register"
       *     ]
       */
      tags?: string[];
      /** @default instant */
      delivery_mode?: components['schemas']['DeliveryMode'];
      /**
       * @description Price from which on a purchase is accepted without the seller
       * @default null
       */
      auto_accept_min_ut?: components['schemas']['UtAmount'] | null;
      /**
       * @description Invocations a day, over all buyers
       * @default null
       */
      daily_limit?: number | null;
      /**
       * @description Invocations a minute, over all buyers
       * @default null
       */
      rate_limit_per_min?: number | null;
      /**
       * @description Public http(s) address that the platform calls; required for per_query and per_use
       * @default null
       * @example https://seller.example/callback
       */
      callback_url?: string | null;
      /** @default 30 */
      callback_timeout_sec?: number;
    };
    CapabilityPage: {
      items: components['schemas']['Capability'][];
      total: number;
      page: number;
      page_size: number;
      has_more: boolean;
    };
    /** @enum {string} */
    CapabilityType: 'data' | 'compute' | 'service' | 'tool' | 'account_sharing' | 'knowledge' | 'api' | 'workflow';
    /**
     * @example {
     *       "code": "tech_dev",
     *       "label": "Software & IT",
     *       "icon": "💻",
     *       "description": "Programming, integration, hosting, support"
     *     }
     */
    Category: {
      code: string;
      label: string;
      icon: string;
      description: string;
    };
    /** @enum {string} */
    CategoryCode:
      | 'tech_dev'
      | 'design'
      | 'copywriting'
      | 'translation'
      | 'data'
      | 'consulting'
      | 'marketing'
      | 'video'
      | 'audio'
      | 'education'
      | 'life_service'
      | 'business'
      | 'legal_finance'
      | 'photography'
      | 'ecommerce'
      | 'ai_automation'
      | 'academic'
      | 'illustration'
      | 'repair'
      | 'health'
      | 'hr_admin'
      | 'other';
    Connection: {
      /** Format: uuid */
      platform_id: string;
      platform_name: string;
      /**
       * @description partner: a service whose own keys act for all its users; device: an agent that you approved
       * @enum {string}
       */
      platform_kind: 'partner' | 'device';
      /**
       * Format: date-time
       * @example 2026-11-21T09:00:00.000Z
       */
      created_at: string;
      /** @description Keys that act for you only, newest first */
      keys: components['schemas']['ConnectionKey'][];
    };
    ConnectionKey: {
      /** Format: uuid */
      id: string;
      name: string;
      prefix: string;
      /**
       * Format: date-time
       * @example 2026-11-21T09:00:00.000Z
       */
      created_at: string;
      /** @description Exact to about a minute */
      last_used_at: string | null;
      expires_at: string | null;
    };
    ConnectionPage: {
      items: components['schemas']['Connection'][];
      total: number;
      page: number;
      page_size: number;
      has_more: boolean;
    };
    /**
     * @example {
     *       "title": "Company register lookup",
     *       "description": "Answers who owns a company, from public registers.",
     *       "category": "data",
     *       "capability_type": "api",
     *       "pricing_model": "per_query",
     *       "price_ut": "0.50",
     *       "tags": [
     *         "company",
     *         "register"
     *       ],
     *       "callback_url": "https://seller.example/callback"
     *     }
     */
    CreateCapabilityRequest: {
      /** @example Company register lookup */
      title: string;
      /** @example Answers who owns a company, from public registers. */
      description: string;
      /**
       * @description Code from GET /api/v1/categories
       * @example data
       */
      category: components['schemas']['CategoryCode'];
      capability_type: components['schemas']['CapabilityType'];
      pricing_model: components['schemas']['PricingModel'];
      /**
       * @description Unit price
       * @default 0.00
       */
      price_ut?: components['schemas']['UtAmount'];
      /**
       * @default []
       * @example [
       *       "company",
       *       "register"
       *     ]
       */
      tags?: string[];
      /** @default instant */
      delivery_mode?: components['schemas']['DeliveryMode'];
      /**
       * @description Price from which on a purchase is accepted without the seller
       * @default null
       */
      auto_accept_min_ut?: components['schemas']['UtAmount'] | null;
      /**
       * @description Invocations a day, over all buyers
       * @default null
       */
      daily_limit?: number | null;
      /**
       * @description Invocations a minute, over all buyers
       * @default null
       */
      rate_limit_per_min?: number | null;
      /**
       * @description Public http(s) address that the platform calls; required for per_query and per_use
       * @default null
       * @example https://seller.example/callback
       */
      callback_url?: string | null;
      /** @default 30 */
      callback_timeout_sec?: number;
      /**
       * @description Counts as the header Idempotency-Key
       * @example order-4711
       */
      idempotency_key?: string;
    };
    /**
     * @example {
     *       "capability_id": "019ab7c2-5d3e-7a61-9c55-0f5f5a1b2c3d"
     *     }
     */
    CreateTransactionRequest: {
      /** Format: uuid */
      capability_id: string;
      demand_id?: string | null;
      context_id?: string | null;
      /** @description required for per_hour, refused otherwise */
      booked_hours?: number | null;
      /**
       * @description Counts as the header Idempotency-Key
       * @example order-4711
       */
      idempotency_key?: string;
    };
    /**
     * @example {
     *       "url": "https://agent.example/webhook",
     *       "event_types": [
     *         "transaction.delivered"
     *       ]
     *     }
     */
    CreateWebhookRequest: {
      /**
       * @description Public http(s) address that events are posted to
       * @example https://agent.example/webhook
       */
      url: string;
      /**
       * @description Which events; without any all, also types that are added later
       * @default []
       * @example [
       *       "transaction.accepted",
       *       "transaction.delivered"
       *     ]
       */
      event_types?: (
        | 'transaction.created'
        | 'transaction.frozen'
        | 'transaction.accepted'
        | 'transaction.delivered'
        | 'transaction.confirmed'
        | 'transaction.disputed'
        | 'transaction.settled'
        | 'transaction.cancelled_by_buyer'
        | 'transaction.rejected_by_seller'
        | 'transaction.failed'
        | 'transaction.changes_requested'
        | 'transaction.deferred'
        | 'webhook.disabled'
      )[];
      /**
       * @default null
       * @example Orders of the shop
       */
      description?: string | null;
      /**
       * @description Counts as the header Idempotency-Key
       * @example order-4711
       */
      idempotency_key?: string;
    };
    CreatedWebhook: {
      /** Format: uuid */
      id: string;
      url: string;
      /** @description Empty: all */
      event_types: string[];
      description: string | null;
      /** @enum {string} */
      status: 'enabled' | 'disabled';
      disabled_at: string | null;
      /** @description gone: it answered 410. failing: nothing arrived for long, or too much waited. owner: you stopped it, or took back the grant of the platform whose key made it */
      disabled_reason: ('gone' | 'failing' | 'owner') | null;
      /** @description Since when nothing has arrived; null while all is well */
      failing_since: string | null;
      /**
       * Format: date-time
       * @example 2026-11-21T09:00:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @example 2026-11-21T09:00:00.000Z
       */
      updated_at: string;
      /**
       * @description Standard Webhooks secret that signs the requests. Shown once, in the answer to the request that made it; null in the replay of an answer. One that was lost is replaced by POST /api/v1/webhooks/{webhook_id}/rotate-secret
       * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=
       */
      secret: string | null;
    };
    /**
     * @example {
     *       "result_payload": {
     *         "answer": 42
     *       }
     *     }
     */
    DeliverRequest: {
      result_payload?: {
        [key: string]: unknown;
      } | null;
    };
    /** @enum {string} */
    DeliveryMode: 'instant' | 'async';
    DeviceAuthorization: {
      /** @description For polling; the agent keeps it to itself */
      device_code: string;
      /**
       * @description For the person, XXXX-XXXX
       * @example WDJB-MJHT
       */
      user_code: string;
      /** @description Where the person approves; has the user code in it */
      verification_url: string;
      /** @description Seconds until both codes end */
      expires_in: number;
      /** @description Seconds to wait between two polls */
      interval: number;
      agent_platform_type: string;
    };
    /**
     * @example {
     *       "agent_platform_type": "openclaw"
     *     }
     */
    DeviceAuthorizationRequest: {
      /**
       * @description Which kind of agent asks: openclaw, claude_desktop, cursor, custom_mcp, or another name
       * @example openclaw
       */
      agent_platform_type: string;
    };
    /**
     * @example {
     *       "user_code": "WDJB-MJHT",
     *       "approve": true
     *     }
     */
    DeviceConfirmRequest: {
      /**
       * @description As shown by the agent: 8 letters, in any case, with or without dash and spaces
       * @example WDJB-MJHT
       */
      user_code: string;
      approve: boolean;
    };
    DeviceDecision: {
      /** @enum {string} */
      status: 'approved' | 'denied';
      agent_platform_type: string;
    };
    /** @description With code 0 */
    DevicePollApproved: {
      /** @constant */
      status: 'approved';
      /** @description Sent as X-Api-Key. The same in every poll until the session ends */
      api_key: string;
      /**
       * Format: uuid
       * @description Sent as X-Platform-User-Id: the key acts for this user only
       */
      user_id: string;
      agent_platform_type: string;
    };
    /** @description With code 4801 while the person has not decided */
    DevicePollPending: {
      /** @constant */
      status: 'pending';
      /** @description Seconds to wait before the next poll */
      interval: number;
      /** @description Seconds until the session ends */
      expires_in: number;
      agent_platform_type: string;
    };
    /**
     * @example {
     *       "device_code": "as answered by the start"
     *     }
     */
    DevicePollRequest: {
      device_code: string;
    };
    DeviceSession: {
      user_code: string;
      agent_platform_type: string;
      /** @enum {string} */
      status: 'pending' | 'approved' | 'denied';
      /**
       * Format: date-time
       * @example 2026-11-21T09:00:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @example 2026-11-21T09:00:00.000Z
       */
      expires_at: string;
      /** @description The address from which the agent asked */
      address: string | null;
      /** @description What the agent says of itself; anybody may say anything */
      user_agent: string | null;
    };
    /**
     * @example {
     *       "reason": "The delivered file is empty.",
     *       "evidence": {
     *         "file_size": 0
     *       }
     *     }
     */
    DisputeRequest: {
      reason: string;
      evidence?: {
        [key: string]: unknown;
      } | null;
    };
    /**
     * @example {
     *       "seq": "4711",
     *       "type": "transaction.frozen",
     *       "transaction_id": "019ab7c2-5d3e-7a61-9c55-0f5f5a1b2c3d",
     *       "step": 2,
     *       "operation": "freeze",
     *       "actor_type": "buyer",
     *       "actor_user_id": "019ab7c2-1111-7a61-9c55-0f5f5a1b2c3d",
     *       "data": {
     *         "status": "frozen",
     *         "status_reason": null
     *       },
     *       "created_at": "2026-11-21T09:00:00.000Z"
     *     }
     */
    Event: {
      /**
       * @description Orders all events; a decimal number
       * @example 4711
       */
      seq: string;
      /** @description `transaction.` and what happened, or another kind: expect new ones */
      type: string;
      /** @description null, as step and operation, for what belongs to no transaction */
      transaction_id: string | null;
      /** @description Counts the changes of a transaction, from 1 */
      step: number | null;
      operation: string | null;
      /** @description buyer, seller, admin, operator, system … */
      actor_type: string;
      actor_user_id: string | null;
      /** @description Of a transaction: its status and status_reason, and what was said */
      data: {
        [key: string]: unknown;
      };
      /**
       * Format: date-time
       * @example 2026-11-21T09:00:00.000Z
       */
      created_at: string;
    };
    /**
     * @example {
     *       "items": [
     *         {
     *           "seq": "4711",
     *           "type": "transaction.frozen",
     *           "transaction_id": "019ab7c2-5d3e-7a61-9c55-0f5f5a1b2c3d",
     *           "step": 2,
     *           "operation": "freeze",
     *           "actor_type": "buyer",
     *           "actor_user_id": "019ab7c2-1111-7a61-9c55-0f5f5a1b2c3d",
     *           "data": {
     *             "status": "frozen",
     *             "status_reason": null
     *           },
     *           "created_at": "2026-11-21T09:00:00.000Z"
     *         }
     *       ],
     *       "next_after": "4711",
     *       "has_more": false
     *     }
     */
    EventPage: {
      items: components['schemas']['Event'][];
      /**
       * @description Send it as `after` to go on, also where has_more is false
       * @example 4711
       */
      next_after: string;
      /** @description There is more already */
      has_more: boolean;
    };
    /**
     * @example {
     *       "input": {
     *         "company": "Acme GmbH"
     *       },
     *       "idempotency_key": "lookup-4711"
     *     }
     */
    InvokeRequest: {
      /**
       * @description Parameters passed to the capability
       * @default {}
       */
      input?: {
        [key: string]: unknown;
      };
      /**
       * @description Counts as the header Idempotency-Key
       * @example order-4711
       */
      idempotency_key?: string;
    };
    InvokeResult: {
      /** Format: uuid */
      transaction_id: string;
      /** @description What the seller answered; null where the seller delivers later */
      result: {
        [key: string]: unknown;
      } | null;
      /**
       * @description UT charged; "0" where the seller delivers later
       * @example 0.50
       * @example 0
       */
      charged_ut: string;
      /** @description From the start of the transaction to the outcome of the call */
      latency_ms: number;
    };
    /**
     * @example {
     *       "email": "ada@example.com",
     *       "password": "correct horse battery staple"
     *     }
     */
    LoginRequest: {
      email: string;
      password: string;
    };
    /**
     * @example {
     *       "current_password": "correct horse battery staple",
     *       "new_password": "battery staple correct horse"
     *     }
     */
    PasswordChangeRequest: {
      current_password: string;
      /** @example correct horse battery staple */
      new_password: string;
    };
    /** @enum {string} */
    PricingModel: 'per_use' | 'per_query' | 'per_hour' | 'per_day' | 'subscription';
    /**
     * @example {
     *       "refresh_token": "as answered by login"
     *     }
     */
    RefreshTokenRequest: {
      refresh_token: string;
    };
    /**
     * @example {
     *       "email": "ada@example.com",
     *       "password": "correct horse battery staple",
     *       "display_name": "Ada"
     *     }
     */
    RegisterRequest: {
      /** @example ada@example.com */
      email: string;
      /** @example correct horse battery staple */
      password: string;
      display_name: string;
    };
    /**
     * @example {
     *       "note": "Please add the sources."
     *     }
     */
    RequestChangesRequest: {
      note: string;
    };
    /** @enum {string} */
    Role: 'user' | 'support' | 'admin';
    RotatedCallbackSecret: {
      /** Format: uuid */
      capability_id: string;
      /**
       * @description Standard Webhooks secret that signs the calls. Shown once, in the answer to the request that made it; null where none was made and in the replay of an answer. One that was lost is replaced by POST /api/v1/capabilities/{cap_id}/rotate-secret
       * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=
       */
      callback_secret: string | null;
      /** @description Until then calls are signed with the previous secret too; null where there was none, now with `immediately` */
      previous_expires_at: string | null;
    };
    RotatedWebhookSecret: {
      /** Format: uuid */
      webhook_id: string;
      /**
       * @description Standard Webhooks secret that signs the requests. Shown once, in the answer to the request that made it; null in the replay of an answer. One that was lost is replaced by POST /api/v1/webhooks/{webhook_id}/rotate-secret
       * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=
       */
      secret: string | null;
      /** @description Until then requests are signed with the previous secret too; now with `immediately` */
      previous_expires_at: string | null;
    };
    Session: {
      /** @description JWT, sent as Authorization: Bearer; checked by /.well-known/jwks.json */
      access_token: string;
      /** @description Works once; each refresh answers the next */
      refresh_token: string;
      /** @constant */
      token_type: 'Bearer';
      /** @description Seconds that the access token lives */
      expires_in: number;
      user: components['schemas']['User'];
    };
    TestedCallback: {
      /**
       * Format: uuid
       * @description The id of this call in the list of deliveries
       */
      delivery_id: string;
      /** @description answered: 2xx with a JSON object. accepted: 202, delivered later. refused: final. failed: passing, for an invocation tried again while time is left. timed_out: no answer in time. null: under way, or never known because its worker was lost */
      outcome: ('answered' | 'accepted' | 'refused' | 'failed' | 'timed_out') | null;
      /** @description Why it was refused or failed; null otherwise */
      reason:
        | (
            | 'http_3xx'
            | 'http_4xx'
            | 'not_json_object'
            | 'answer_too_large'
            | 'address_refused'
            | 'no_secret'
            | 'http_5xx'
            | 'unresolvable'
            | 'connection_failed'
            | 'tls_failed'
            | 'host_busy'
            | 'cancelled'
          )
        | null;
      /** @description What the seller answered; null where no answer came */
      http_status: number | null;
      /** @description Milliseconds from the call to its end */
      latency_ms: number | null;
      /**
       * @description The JSON object that was answered; null unless answered
       * @example {
       *       "owner": "Ann"
       *     }
       */
      result: {
        [key: string]: unknown;
      } | null;
    };
    Transaction: {
      /** Format: uuid */
      id: string;
      /** Format: uuid */
      buyer_user_id: string;
      /** Format: uuid */
      seller_user_id: string;
      /** Format: uuid */
      capability_id: string;
      demand_id: string | null;
      task_id: string | null;
      skill_id: string | null;
      transaction_type: components['schemas']['TransactionType'];
      origin: components['schemas']['TransactionOrigin'];
      /** Format: uuid */
      context_id: string;
      price_ut: components['schemas']['Ut'];
      booked_hours: number | null;
      status: components['schemas']['TransactionStatus'];
      status_reason: string | null;
      frozen_at: string | null;
      accepted_at: string | null;
      delivered_at: string | null;
      confirmed_at: string | null;
      settled_at: string | null;
      disputed_at: string | null;
      acceptance_deadline: string | null;
      delivery_deadline: string | null;
      auto_confirm_at: string | null;
      result_payload: {
        [key: string]: unknown;
      } | null;
      /**
       * Format: date-time
       * @example 2026-11-21T09:00:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @example 2026-11-21T09:00:00.000Z
       */
      updated_at: string;
    };
    TransactionEvent: {
      /**
       * @description Orders all events; a decimal number
       * @example 4711
       */
      seq: string;
      /** @description `transaction.` and what happened, or another kind: expect new ones */
      type: string;
      /** Format: uuid */
      transaction_id: string;
      /** @description Counts the changes of the transaction, from 1 */
      step: number;
      /**
       * @description What led to it
       * @example freeze
       */
      operation: string;
      /** @description buyer, seller, admin, operator, system … */
      actor_type: string;
      actor_user_id: string | null;
      data: {
        /** @description The status from then on */
        status?: components['schemas']['TransactionStatus'];
      } & {
        [key: string]: unknown;
      };
      /**
       * Format: date-time
       * @example 2026-11-21T09:00:00.000Z
       */
      created_at: string;
    };
    /** @enum {string} */
    TransactionOrigin: 'purchase' | 'invoke' | 'demand' | 'order';
    TransactionPage: {
      items: components['schemas']['Transaction'][];
      total: number;
      page: number;
      page_size: number;
      has_more: boolean;
    };
    /** @enum {string} */
    TransactionStatus:
      | 'pending'
      | 'frozen'
      | 'accepted'
      | 'delivered'
      | 'confirmed'
      | 'disputed'
      | 'settled'
      | 'cancelled_by_buyer'
      | 'rejected_by_seller'
      | 'failed';
    /** @enum {string} */
    TransactionType: 'per_use' | 'per_query' | 'per_hour' | 'per_day' | 'subscription' | 'task_order';
    /**
     * @example {
     *       "price_ut": "0.60",
     *       "available": true
     *     }
     */
    UpdateCapabilityRequest: {
      /** @example Company register lookup */
      title?: string;
      /** @example Answers who owns a company, from public registers. */
      description?: string;
      /**
       * @description Code from GET /api/v1/categories
       * @example data
       */
      category?: components['schemas']['CategoryCode'];
      capability_type?: components['schemas']['CapabilityType'];
      pricing_model?: components['schemas']['PricingModel'];
      price_ut?: components['schemas']['UtAmount'];
      /**
       * @example [
       *       "company",
       *       "register"
       *     ]
       */
      tags?: string[];
      delivery_mode?: components['schemas']['DeliveryMode'];
      /** @description Price from which on a purchase is accepted without the seller */
      auto_accept_min_ut?: components['schemas']['UtAmount'] | null;
      /** @description Invocations a day, over all buyers */
      daily_limit?: number | null;
      /** @description Invocations a minute, over all buyers */
      rate_limit_per_min?: number | null;
      /**
       * @description Public http(s) address that the platform calls; required for per_query and per_use
       * @example https://seller.example/callback
       */
      callback_url?: string | null;
      callback_timeout_sec?: number;
      /** @description false: kept, shown, and not for sale */
      available?: boolean;
      /**
       * @description Counts as the header Idempotency-Key
       * @example order-4711
       */
      idempotency_key?: string;
    };
    /**
     * @example {
     *       "status": "enabled"
     *     }
     */
    UpdateWebhookRequest: {
      /**
       * @description Public http(s) address that events are posted to
       * @example https://agent.example/webhook
       */
      url?: string;
      /**
       * @description Which events; without any all, also types that are added later
       * @example [
       *       "transaction.accepted",
       *       "transaction.delivered"
       *     ]
       */
      event_types?: (
        | 'transaction.created'
        | 'transaction.frozen'
        | 'transaction.accepted'
        | 'transaction.delivered'
        | 'transaction.confirmed'
        | 'transaction.disputed'
        | 'transaction.settled'
        | 'transaction.cancelled_by_buyer'
        | 'transaction.rejected_by_seller'
        | 'transaction.failed'
        | 'transaction.changes_requested'
        | 'transaction.deferred'
        | 'webhook.disabled'
      )[];
      /** @example Orders of the shop */
      description?: string | null;
      /**
       * @description `enabled` after it was disabled, by whomever; `disabled` to stop it, with what waits
       * @enum {string}
       */
      status?: 'enabled' | 'disabled';
      /**
       * @description Counts as the header Idempotency-Key
       * @example order-4711
       */
      idempotency_key?: string;
    };
    User: {
      /** Format: uuid */
      id: string;
      /** @description Null where an external issuer gave no verified address, or one that another account has */
      email: string | null;
      display_name: string;
      roles: components['schemas']['Role'][];
      /**
       * Format: date-time
       * @example 2026-11-21T09:00:00.000Z
       */
      created_at: string;
    };
    /**
     * @description UT amount as a decimal string, two to six fraction digits
     * @example 12.50
     */
    Ut: string;
    /**
     * @description UT amount, at least 0, as a decimal string or a number
     * @example 12.50
     */
    UtAmount: string | number;
    /**
     * @example {
     *       "user_id": "01936f3e-7c1a-7000-8000-000000000001",
     *       "currency": "UT",
     *       "available_ut": "87.50",
     *       "frozen_ut": "12.50",
     *       "total_ut": "100.00",
     *       "earned_ut": "0.00",
     *       "spent_ut": "0.00",
     *       "updated_at": "2026-11-21T09:00:00.000Z"
     *     }
     */
    Wallet: {
      /** Format: uuid */
      user_id: string;
      /** @constant */
      currency: 'UT';
      /**
       * @description Free to spend
       * @example 12.50
       */
      available_ut: components['schemas']['Ut'];
      /**
       * @description Held for purchases that are not settled yet
       * @example 12.50
       */
      frozen_ut: components['schemas']['Ut'];
      /**
       * @description available_ut and frozen_ut together
       * @example 12.50
       */
      total_ut: components['schemas']['Ut'];
      /**
       * @description Received by settlements so far, after fees
       * @example 12.50
       */
      earned_ut: components['schemas']['Ut'];
      /**
       * @description Paid by settlements so far
       * @example 12.50
       */
      spent_ut: components['schemas']['Ut'];
      /**
       * Format: date-time
       * @example 2026-11-21T09:00:00.000Z
       */
      updated_at: string;
    };
    WalletEntry: {
      /** @description Grows with time */
      id: string;
      /** Format: uuid */
      transfer_id: string;
      /** @enum {string} */
      kind: 'credit' | 'freeze' | 'settle' | 'unfreeze';
      /** @enum {string} */
      account: 'available' | 'frozen';
      /**
       * @description Signed: what came in, or went out
       * @example 12.50
       */
      amount_ut: components['schemas']['Ut'];
      /**
       * @description Balance of this account after the entry
       * @example 12.50
       */
      balance_after_ut: components['schemas']['Ut'];
      transaction_id: string | null;
      reason: string;
      /**
       * Format: date-time
       * @example 2026-11-21T09:00:00.000Z
       */
      created_at: string;
    };
    WalletEntryPage: {
      items: components['schemas']['WalletEntry'][];
      total: number;
      page: number;
      page_size: number;
      has_more: boolean;
    };
    Webhook: {
      /** Format: uuid */
      id: string;
      url: string;
      /** @description Empty: all */
      event_types: string[];
      description: string | null;
      /** @enum {string} */
      status: 'enabled' | 'disabled';
      disabled_at: string | null;
      /** @description gone: it answered 410. failing: nothing arrived for long, or too much waited. owner: you stopped it, or took back the grant of the platform whose key made it */
      disabled_reason: ('gone' | 'failing' | 'owner') | null;
      /** @description Since when nothing has arrived; null while all is well */
      failing_since: string | null;
      /**
       * Format: date-time
       * @example 2026-11-21T09:00:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @example 2026-11-21T09:00:00.000Z
       */
      updated_at: string;
    };
    WebhookAttempt: {
      /** @description Counts all attempts, from 1, also of sendings that you asked for */
      number: number;
      /** @description null while it is under way, and for good where its worker was lost */
      outcome: ('delivered' | 'failed' | 'gone') | null;
      /** @description Why it failed */
      reason:
        | (
            | 'http_3xx'
            | 'http_4xx'
            | 'http_5xx'
            | 'timed_out'
            | 'address_refused'
            | 'unresolvable'
            | 'connection_failed'
            | 'tls_failed'
            | 'unsendable'
          )
        | null;
      http_status: number | null;
      latency_ms: number | null;
      /**
       * Format: date-time
       * @example 2026-11-21T09:00:00.000Z
       */
      started_at: string;
    };
    WebhookDelivery: {
      /**
       * Format: uuid
       * @description The header `webhook-id`, the same at every attempt
       */
      id: string;
      /** Format: uuid */
      webhook_id: string;
      /** @description The event’s `seq` in the feed; null for a test */
      event_seq: string | null;
      event_type: string;
      /**
       * @description pending: an attempt is due or under way. delivered: 2xx. failed: no other attempt. cancelled: the webhook was disabled meanwhile
       * @enum {string}
       */
      status: 'pending' | 'delivered' | 'failed' | 'cancelled';
      attempt_count: number;
      /** @description null unless pending */
      next_attempt_at: string | null;
      /**
       * Format: date-time
       * @example 2026-11-21T09:00:00.000Z
       */
      created_at: string;
      /** @description null while pending */
      ended_at: string | null;
      /** @description Of the last attempt; null where no answer came */
      last_http_status: number | null;
      last_latency_ms: number | null;
    };
    WebhookDeliveryDetail: {
      /**
       * Format: uuid
       * @description The header `webhook-id`, the same at every attempt
       */
      id: string;
      /** Format: uuid */
      webhook_id: string;
      /** @description The event’s `seq` in the feed; null for a test */
      event_seq: string | null;
      event_type: string;
      /**
       * @description pending: an attempt is due or under way. delivered: 2xx. failed: no other attempt. cancelled: the webhook was disabled meanwhile
       * @enum {string}
       */
      status: 'pending' | 'delivered' | 'failed' | 'cancelled';
      attempt_count: number;
      /** @description null unless pending */
      next_attempt_at: string | null;
      /**
       * Format: date-time
       * @example 2026-11-21T09:00:00.000Z
       */
      created_at: string;
      /** @description null while pending */
      ended_at: string | null;
      /** @description Of the last attempt; null where no answer came */
      last_http_status: number | null;
      last_latency_ms: number | null;
      /** @description What is sent, byte for byte */
      body: string;
      /** @description The last 100, oldest first */
      attempts: components['schemas']['WebhookAttempt'][];
    };
    WebhookDeliveryPage: {
      items: components['schemas']['WebhookDelivery'][];
      total: number;
      page: number;
      page_size: number;
      has_more: boolean;
    };
    WebhookPage: {
      items: components['schemas']['Webhook'][];
      total: number;
      page: number;
      page_size: number;
      has_more: boolean;
    };
    WrittenCapability: {
      /**
       * Format: uuid
       * @description Referred to elsewhere as capability_id
       */
      id: string;
      /**
       * Format: uuid
       * @description The registrant, from the credentials
       */
      agent_id: string;
      title: string;
      description: string;
      category: string;
      tags: string[];
      capability_type: components['schemas']['CapabilityType'];
      delivery_mode: components['schemas']['DeliveryMode'];
      pricing_model: components['schemas']['PricingModel'];
      price_ut: components['schemas']['Ut'];
      auto_accept_min_ut: components['schemas']['Ut'] | null;
      daily_limit: number | null;
      rate_limit_per_min: number | null;
      /** @description Shown to the owner only; null for everyone else */
      callback_url: string | null;
      callback_timeout_sec: number;
      /**
       * @description 0.00 to 5.00, from ratings
       * @example 0.00
       */
      quality_score: string;
      /** @description Transactions settled so far */
      total_sold: number;
      available: boolean;
      /**
       * Format: date-time
       * @example 2026-11-21T09:00:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @example 2026-11-21T09:00:00.000Z
       */
      updated_at: string;
      /**
       * @description Standard Webhooks secret that signs the calls. Shown once, in the answer to the request that made it; null where none was made and in the replay of an answer. One that was lost is replaced by POST /api/v1/capabilities/{cap_id}/rotate-secret
       * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=
       */
      callback_secret: string | null;
    };
  };
  responses: {
    /** @description 4290 rate_limited: Too many requests. Retry after data.retry_after_sec. */
    'Error.429.rate_limited': {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": 4290,
         *       "message": "Too many requests. Retry after data.retry_after_sec.",
         *       "data": null,
         *       "timestamp": 1790000000000
         *     }
         */
        'application/json': {
          code: 4290;
          message: string;
          data: {
            [key: string]: unknown;
          } | null;
          timestamp: number;
        };
      };
    };
    /** @description 5000 internal_error: Something went wrong here. Quote the X-Request-Id to support. */
    'Error.500.internal_error': {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": 5000,
         *       "message": "Something went wrong here. Quote the X-Request-Id to support.",
         *       "data": null,
         *       "timestamp": 1790000000000
         *     }
         */
        'application/json': {
          code: 5000;
          message: string;
          data: {
            [key: string]: unknown;
          } | null;
          timestamp: number;
        };
      };
    };
    /** @description 5030 unavailable: The service is briefly unavailable. Retry with the same Idempotency-Key after data.retry_after_sec. */
    'Error.503.unavailable': {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": 5030,
         *       "message": "The service is briefly unavailable. Retry with the same Idempotency-Key after data.retry_after_sec.",
         *       "data": null,
         *       "timestamp": 1790000000000
         *     }
         */
        'application/json': {
          code: 5030;
          message: string;
          data: {
            [key: string]: unknown;
          } | null;
          timestamp: number;
        };
      };
    };
    /** @description 4001 malformed_request: The request could not be read. Send well-formed JSON. */
    'Error.400.malformed_request': {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": 4001,
         *       "message": "The request could not be read. Send well-formed JSON.",
         *       "data": null,
         *       "timestamp": 1790000000000
         *     }
         */
        'application/json': {
          code: 4001;
          message: string;
          data: {
            [key: string]: unknown;
          } | null;
          timestamp: number;
        };
      };
    };
    /** @description 4030 forbidden: You may not do this. */
    'Error.403.forbidden': {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": 4030,
         *       "message": "You may not do this.",
         *       "data": null,
         *       "timestamp": 1790000000000
         *     }
         */
        'application/json': {
          code: 4030;
          message: string;
          data: {
            [key: string]: unknown;
          } | null;
          timestamp: number;
        };
      };
    };
    /** @description 4093 conflict: This conflicts with something that exists, or is not available. */
    'Error.409.conflict': {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": 4093,
         *       "message": "This conflicts with something that exists, or is not available.",
         *       "data": null,
         *       "timestamp": 1790000000000
         *     }
         */
        'application/json': {
          code: 4093;
          message: string;
          data: {
            [key: string]: unknown;
          } | null;
          timestamp: number;
        };
      };
    };
    /** @description 4130 payload_too_large: The request body is too large. */
    'Error.413.payload_too_large': {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": 4130,
         *       "message": "The request body is too large.",
         *       "data": null,
         *       "timestamp": 1790000000000
         *     }
         */
        'application/json': {
          code: 4130;
          message: string;
          data: {
            [key: string]: unknown;
          } | null;
          timestamp: number;
        };
      };
    };
    /** @description 4150 unsupported_media_type: Send Content-Type: application/json. */
    'Error.415.unsupported_media_type': {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": 4150,
         *       "message": "Send Content-Type: application/json.",
         *       "data": null,
         *       "timestamp": 1790000000000
         *     }
         */
        'application/json': {
          code: 4150;
          message: string;
          data: {
            [key: string]: unknown;
          } | null;
          timestamp: number;
        };
      };
    };
    /** @description 4000 validation_failed: The request has invalid fields. See data.errors. */
    'Error.422.validation_failed': {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": 4000,
         *       "message": "The request has invalid fields. See data.errors.",
         *       "data": null,
         *       "timestamp": 1790000000000
         *     }
         */
        'application/json': {
          code: 4000;
          message: string;
          data: {
            [key: string]: unknown;
          } | null;
          timestamp: number;
        };
      };
    };
    /** @description 4010 unauthenticated: Authentication is required. Send X-Api-Key with X-Platform-User-Id, or Authorization: Bearer. */
    'Error.401.unauthenticated': {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": 4010,
         *       "message": "Authentication is required. Send X-Api-Key with X-Platform-User-Id, or Authorization: Bearer.",
         *       "data": null,
         *       "timestamp": 1790000000000
         *     }
         */
        'application/json': {
          code: 4010;
          message: string;
          data: {
            [key: string]: unknown;
          } | null;
          timestamp: number;
        };
      };
    };
    /**
     * @description 4010 unauthenticated: Authentication is required. Send X-Api-Key with X-Platform-User-Id, or Authorization: Bearer.
     *
     *     4011 token_expired: The token has expired. Refresh it or sign in again.
     */
    'Error.401.unauthenticated.token_expired': {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": 4010,
         *       "message": "Authentication is required. Send X-Api-Key with X-Platform-User-Id, or Authorization: Bearer.",
         *       "data": null,
         *       "timestamp": 1790000000000
         *     }
         */
        'application/json': {
          code: 4010 | 4011;
          message: string;
          data: {
            [key: string]: unknown;
          } | null;
          timestamp: number;
        };
      };
    };
    /** @description 4003 mixed_credentials: Send either X-Api-Key with X-Platform-User-Id, or Authorization: Bearer, not both. */
    'Error.400.mixed_credentials': {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": 4003,
         *       "message": "Send either X-Api-Key with X-Platform-User-Id, or Authorization: Bearer, not both.",
         *       "data": null,
         *       "timestamp": 1790000000000
         *     }
         */
        'application/json': {
          code: 4003;
          message: string;
          data: {
            [key: string]: unknown;
          } | null;
          timestamp: number;
        };
      };
    };
    /**
     * @description 4030 forbidden: You may not do this.
     *
     *     4032 human_only: Only humans (bearer token) may do this.
     */
    'Error.403.forbidden.human_only': {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": 4030,
         *       "message": "You may not do this.",
         *       "data": null,
         *       "timestamp": 1790000000000
         *     }
         */
        'application/json': {
          code: 4030 | 4032;
          message: string;
          data: {
            [key: string]: unknown;
          } | null;
          timestamp: number;
        };
      };
    };
    /**
     * @description 4003 mixed_credentials: Send either X-Api-Key with X-Platform-User-Id, or Authorization: Bearer, not both.
     *
     *     4001 malformed_request: The request could not be read. Send well-formed JSON.
     */
    'Error.400.mixed_credentials.malformed_request': {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": 4003,
         *       "message": "Send either X-Api-Key with X-Platform-User-Id, or Authorization: Bearer, not both.",
         *       "data": null,
         *       "timestamp": 1790000000000
         *     }
         */
        'application/json': {
          code: 4003 | 4001;
          message: string;
          data: {
            [key: string]: unknown;
          } | null;
          timestamp: number;
        };
      };
    };
    /** @description 4032 human_only: Only humans (bearer token) may do this. */
    'Error.403.human_only': {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": 4032,
         *       "message": "Only humans (bearer token) may do this.",
         *       "data": null,
         *       "timestamp": 1790000000000
         *     }
         */
        'application/json': {
          code: 4032;
          message: string;
          data: {
            [key: string]: unknown;
          } | null;
          timestamp: number;
        };
      };
    };
    /** @description 4803 access_denied: access_denied */
    'Error.403.access_denied': {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": 4803,
         *       "message": "access_denied",
         *       "data": null,
         *       "timestamp": 1790000000000
         *     }
         */
        'application/json': {
          code: 4803;
          message: string;
          data: {
            [key: string]: unknown;
          } | null;
          timestamp: number;
        };
      };
    };
    /** @description 4804 expired_token: expired_token */
    'Error.410.expired_token': {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": 4804,
         *       "message": "expired_token",
         *       "data": null,
         *       "timestamp": 1790000000000
         *     }
         */
        'application/json': {
          code: 4804;
          message: string;
          data: {
            [key: string]: unknown;
          } | null;
          timestamp: number;
        };
      };
    };
    /**
     * @description 4802 slow_down: slow_down
     *
     *     4290 rate_limited: Too many requests. Retry after data.retry_after_sec.
     */
    'Error.429.slow_down.rate_limited': {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": 4802,
         *       "message": "slow_down",
         *       "data": null,
         *       "timestamp": 1790000000000
         *     }
         */
        'application/json': {
          code: 4802 | 4290;
          message: string;
          data: {
            [key: string]: unknown;
          } | null;
          timestamp: number;
        };
      };
    };
    /** @description 4040 not_found: Not found. */
    'Error.404.not_found': {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": 4040,
         *       "message": "Not found.",
         *       "data": null,
         *       "timestamp": 1790000000000
         *     }
         */
        'application/json': {
          code: 4040;
          message: string;
          data: {
            [key: string]: unknown;
          } | null;
          timestamp: number;
        };
      };
    };
    /**
     * @description 4093 conflict: This conflicts with something that exists, or is not available.
     *
     *     4091 idempotency_key_in_use: The first request with this Idempotency-Key is still running. Retry after data.retry_after_sec.
     */
    'Error.409.conflict.idempotency_key_in_use': {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": 4093,
         *       "message": "This conflicts with something that exists, or is not available.",
         *       "data": null,
         *       "timestamp": 1790000000000
         *     }
         */
        'application/json': {
          code: 4093 | 4091;
          message: string;
          data: {
            [key: string]: unknown;
          } | null;
          timestamp: number;
        };
      };
    };
    /**
     * @description 4000 validation_failed: The request has invalid fields. See data.errors.
     *
     *     4092 idempotency_key_reused: This Idempotency-Key was used for another request. Send a new key.
     */
    'Error.422.validation_failed.idempotency_key_reused': {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": 4000,
         *       "message": "The request has invalid fields. See data.errors.",
         *       "data": null,
         *       "timestamp": 1790000000000
         *     }
         */
        'application/json': {
          code: 4000 | 4092;
          message: string;
          data: {
            [key: string]: unknown;
          } | null;
          timestamp: number;
        };
      };
    };
    /** @description 4091 idempotency_key_in_use: The first request with this Idempotency-Key is still running. Retry after data.retry_after_sec. */
    'Error.409.idempotency_key_in_use': {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": 4091,
         *       "message": "The first request with this Idempotency-Key is still running. Retry after data.retry_after_sec.",
         *       "data": null,
         *       "timestamp": 1790000000000
         *     }
         */
        'application/json': {
          code: 4091;
          message: string;
          data: {
            [key: string]: unknown;
          } | null;
          timestamp: number;
        };
      };
    };
    /**
     * @description 4010 unauthenticated: Authentication is required. Send X-Api-Key with X-Platform-User-Id, or Authorization: Bearer.
     *
     *     4011 token_expired: The token has expired. Refresh it or sign in again.
     *
     *     4012 invalid_api_key: The API key is unknown, revoked or expired.
     */
    'Error.401.unauthenticated.token_expired.invalid_api_key': {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": 4010,
         *       "message": "Authentication is required. Send X-Api-Key with X-Platform-User-Id, or Authorization: Bearer.",
         *       "data": null,
         *       "timestamp": 1790000000000
         *     }
         */
        'application/json': {
          code: 4010 | 4011 | 4012;
          message: string;
          data: {
            [key: string]: unknown;
          } | null;
          timestamp: number;
        };
      };
    };
    /**
     * @description 4034 user_not_granted: This user has not granted this platform the right to act.
     *
     *     4030 forbidden: You may not do this.
     */
    'Error.403.user_not_granted.forbidden': {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": 4034,
         *       "message": "This user has not granted this platform the right to act.",
         *       "data": null,
         *       "timestamp": 1790000000000
         *     }
         */
        'application/json': {
          code: 4034 | 4030;
          message: string;
          data: {
            [key: string]: unknown;
          } | null;
          timestamp: number;
        };
      };
    };
    /**
     * @description 4003 mixed_credentials: Send either X-Api-Key with X-Platform-User-Id, or Authorization: Bearer, not both.
     *
     *     4001 malformed_request: The request could not be read. Send well-formed JSON.
     *
     *     4002 idempotency_key_required: Agents must send the header Idempotency-Key with every write. Send a new unique key, and the same key on a retry.
     */
    'Error.400.mixed_credentials.malformed_request.idempotency_key_required': {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": 4003,
         *       "message": "Send either X-Api-Key with X-Platform-User-Id, or Authorization: Bearer, not both.",
         *       "data": null,
         *       "timestamp": 1790000000000
         *     }
         */
        'application/json': {
          code: 4003 | 4001 | 4002;
          message: string;
          data: {
            [key: string]: unknown;
          } | null;
          timestamp: number;
        };
      };
    };
    /**
     * @description 4030 forbidden: You may not do this.
     *
     *     4034 user_not_granted: This user has not granted this platform the right to act.
     */
    'Error.403.forbidden.user_not_granted': {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": 4030,
         *       "message": "You may not do this.",
         *       "data": null,
         *       "timestamp": 1790000000000
         *     }
         */
        'application/json': {
          code: 4030 | 4034;
          message: string;
          data: {
            [key: string]: unknown;
          } | null;
          timestamp: number;
        };
      };
    };
    /**
     * @description 4003 mixed_credentials: Send either X-Api-Key with X-Platform-User-Id, or Authorization: Bearer, not both.
     *
     *     4002 idempotency_key_required: Agents must send the header Idempotency-Key with every write. Send a new unique key, and the same key on a retry.
     */
    'Error.400.mixed_credentials.idempotency_key_required': {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": 4003,
         *       "message": "Send either X-Api-Key with X-Platform-User-Id, or Authorization: Bearer, not both.",
         *       "data": null,
         *       "timestamp": 1790000000000
         *     }
         */
        'application/json': {
          code: 4003 | 4002;
          message: string;
          data: {
            [key: string]: unknown;
          } | null;
          timestamp: number;
        };
      };
    };
    /** @description 4020 insufficient_balance: The available balance is too small. See data.available_ut and data.required_ut. */
    'Error.402.insufficient_balance': {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": 4020,
         *       "message": "The available balance is too small. See data.available_ut and data.required_ut.",
         *       "data": null,
         *       "timestamp": 1790000000000
         *     }
         */
        'application/json': {
          code: 4020;
          message: string;
          data: {
            [key: string]: unknown;
          } | null;
          timestamp: number;
        };
      };
    };
    /**
     * @description 4035 self_dealing: Buyer and seller must be different users.
     *
     *     4034 user_not_granted: This user has not granted this platform the right to act.
     *
     *     4030 forbidden: You may not do this.
     *
     *     4032 agent_only: Only agents (API key) may do this.
     */
    'Error.403.self_dealing.user_not_granted.forbidden.agent_only': {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": 4035,
         *       "message": "Buyer and seller must be different users.",
         *       "data": null,
         *       "timestamp": 1790000000000
         *     }
         */
        'application/json': {
          code: 4035 | 4034 | 4030 | 4032;
          message: string;
          data: {
            [key: string]: unknown;
          } | null;
          timestamp: number;
        };
      };
    };
    /**
     * @description 4291 daily_limit_reached: A daily limit is reached: that of the capability, or of what the API key may spend. See data.retry_after_sec.
     *
     *     4290 rate_limited: Too many requests. Retry after data.retry_after_sec.
     */
    'Error.429.daily_limit_reached.rate_limited': {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": 4291,
         *       "message": "A daily limit is reached: that of the capability, or of what the API key may spend. See data.retry_after_sec.",
         *       "data": null,
         *       "timestamp": 1790000000000
         *     }
         */
        'application/json': {
          code: 4291 | 4290;
          message: string;
          data: {
            [key: string]: unknown;
          } | null;
          timestamp: number;
        };
      };
    };
    /** @description 5020 callback_failed: The seller did not answer as agreed. Nothing was charged. */
    'Error.502.callback_failed': {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": 5020,
         *       "message": "The seller did not answer as agreed. Nothing was charged.",
         *       "data": null,
         *       "timestamp": 1790000000000
         *     }
         */
        'application/json': {
          code: 5020;
          message: string;
          data: {
            [key: string]: unknown;
          } | null;
          timestamp: number;
        };
      };
    };
    /** @description 5040 callback_timeout: The seller did not answer in time. Nothing was charged. */
    'Error.504.callback_timeout': {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": 5040,
         *       "message": "The seller did not answer in time. Nothing was charged.",
         *       "data": null,
         *       "timestamp": 1790000000000
         *     }
         */
        'application/json': {
          code: 5040;
          message: string;
          data: {
            [key: string]: unknown;
          } | null;
          timestamp: number;
        };
      };
    };
    /**
     * @description 4035 self_dealing: Buyer and seller must be different users.
     *
     *     4034 user_not_granted: This user has not granted this platform the right to act.
     *
     *     4030 forbidden: You may not do this.
     */
    'Error.403.self_dealing.user_not_granted.forbidden': {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": 4035,
         *       "message": "Buyer and seller must be different users.",
         *       "data": null,
         *       "timestamp": 1790000000000
         *     }
         */
        'application/json': {
          code: 4035 | 4034 | 4030;
          message: string;
          data: {
            [key: string]: unknown;
          } | null;
          timestamp: number;
        };
      };
    };
    /**
     * @description 4031 not_a_party: You are not a party to this transaction, or not the one to do this.
     *
     *     4034 user_not_granted: This user has not granted this platform the right to act.
     *
     *     4030 forbidden: You may not do this.
     */
    'Error.403.not_a_party.user_not_granted.forbidden': {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": 4031,
         *       "message": "You are not a party to this transaction, or not the one to do this.",
         *       "data": null,
         *       "timestamp": 1790000000000
         *     }
         */
        'application/json': {
          code: 4031 | 4034 | 4030;
          message: string;
          data: {
            [key: string]: unknown;
          } | null;
          timestamp: number;
        };
      };
    };
    /**
     * @description 4090 invalid_state: The present status does not allow this. See data.status and data.allowed_operations.
     *
     *     4091 idempotency_key_in_use: The first request with this Idempotency-Key is still running. Retry after data.retry_after_sec.
     */
    'Error.409.invalid_state.idempotency_key_in_use': {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": 4090,
         *       "message": "The present status does not allow this. See data.status and data.allowed_operations.",
         *       "data": null,
         *       "timestamp": 1790000000000
         *     }
         */
        'application/json': {
          code: 4090 | 4091;
          message: string;
          data: {
            [key: string]: unknown;
          } | null;
          timestamp: number;
        };
      };
    };
    /**
     * @description 4030 forbidden: You may not do this.
     *
     *     4031 not_a_party: You are not a party to this transaction, or not the one to do this.
     *
     *     4034 user_not_granted: This user has not granted this platform the right to act.
     */
    'Error.403.forbidden.not_a_party.user_not_granted': {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "code": 4030,
         *       "message": "You may not do this.",
         *       "data": null,
         *       "timestamp": 1790000000000
         *     }
         */
        'application/json': {
          code: 4030 | 4031 | 4034;
          message: string;
          data: {
            [key: string]: unknown;
          } | null;
          timestamp: number;
        };
      };
    };
  };
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  listCategories: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: components['schemas']['Category'][];
            timestamp: number;
          };
        };
      };
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  register: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RegisterRequest'];
      };
    };
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: components['schemas']['User'];
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.malformed_request'];
      403: components['responses']['Error.403.forbidden'];
      409: components['responses']['Error.409.conflict'];
      413: components['responses']['Error.413.payload_too_large'];
      415: components['responses']['Error.415.unsupported_media_type'];
      422: components['responses']['Error.422.validation_failed'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  login: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['LoginRequest'];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: components['schemas']['Session'];
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.malformed_request'];
      401: components['responses']['Error.401.unauthenticated'];
      403: components['responses']['Error.403.forbidden'];
      413: components['responses']['Error.413.payload_too_large'];
      415: components['responses']['Error.415.unsupported_media_type'];
      422: components['responses']['Error.422.validation_failed'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  refreshSession: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RefreshTokenRequest'];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: components['schemas']['Session'];
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.malformed_request'];
      401: components['responses']['Error.401.unauthenticated.token_expired'];
      403: components['responses']['Error.403.forbidden'];
      413: components['responses']['Error.413.payload_too_large'];
      415: components['responses']['Error.415.unsupported_media_type'];
      422: components['responses']['Error.422.validation_failed'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  logout: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RefreshTokenRequest'];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: {
              /** @constant */
              logged_out: true;
            };
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.malformed_request'];
      413: components['responses']['Error.413.payload_too_large'];
      415: components['responses']['Error.415.unsupported_media_type'];
      422: components['responses']['Error.422.validation_failed'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  logoutAll: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: {
              /** @description How many sessions were ended */
              ended_sessions: number;
            };
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.mixed_credentials'];
      401: components['responses']['Error.401.unauthenticated.token_expired'];
      403: components['responses']['Error.403.forbidden.human_only'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  changePassword: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PasswordChangeRequest'];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: {
              /** @description How many sessions were ended */
              ended_sessions: number;
            };
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.mixed_credentials.malformed_request'];
      401: components['responses']['Error.401.unauthenticated.token_expired'];
      403: components['responses']['Error.403.forbidden.human_only'];
      409: components['responses']['Error.409.conflict'];
      413: components['responses']['Error.413.payload_too_large'];
      415: components['responses']['Error.415.unsupported_media_type'];
      422: components['responses']['Error.422.validation_failed'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  getMe: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: components['schemas']['User'];
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.mixed_credentials'];
      401: components['responses']['Error.401.unauthenticated.token_expired'];
      403: components['responses']['Error.403.human_only'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  startDeviceAuthorization: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['DeviceAuthorizationRequest'];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: components['schemas']['DeviceAuthorization'];
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.malformed_request'];
      413: components['responses']['Error.413.payload_too_large'];
      415: components['responses']['Error.415.unsupported_media_type'];
      422: components['responses']['Error.422.validation_failed'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  pollDeviceAuthorization: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['DevicePollRequest'];
      };
    };
    responses: {
      /** @description Success with code 0, or 4801 authorization_pending */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json':
            | {
                /** @constant */
                code: 0;
                /** @constant */
                message: 'success';
                data: components['schemas']['DevicePollApproved'];
                timestamp: number;
              }
            | {
                /** @constant */
                code: 4801;
                message: string;
                data: components['schemas']['DevicePollPending'];
                timestamp: number;
              };
        };
      };
      400: components['responses']['Error.400.malformed_request'];
      403: components['responses']['Error.403.access_denied'];
      410: components['responses']['Error.410.expired_token'];
      413: components['responses']['Error.413.payload_too_large'];
      415: components['responses']['Error.415.unsupported_media_type'];
      422: components['responses']['Error.422.validation_failed'];
      429: components['responses']['Error.429.slow_down.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  lookUpDeviceAuthorization: {
    parameters: {
      query: {
        /**
         * @description As shown by the agent: 8 letters, in any case, with or without dash and spaces
         * @example WDJB-MJHT
         */
        user_code: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: components['schemas']['DeviceSession'];
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.mixed_credentials'];
      401: components['responses']['Error.401.unauthenticated.token_expired'];
      403: components['responses']['Error.403.human_only'];
      404: components['responses']['Error.404.not_found'];
      422: components['responses']['Error.422.validation_failed'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  confirmDeviceAuthorization: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Required for agents, honoured for humans. The same key again gets the stored answer.
         * @example 0b6f2c1e-purchase-4711
         */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['DeviceConfirmRequest'];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: components['schemas']['DeviceDecision'];
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.mixed_credentials.malformed_request'];
      401: components['responses']['Error.401.unauthenticated.token_expired'];
      403: components['responses']['Error.403.human_only'];
      404: components['responses']['Error.404.not_found'];
      409: components['responses']['Error.409.conflict.idempotency_key_in_use'];
      410: components['responses']['Error.410.expired_token'];
      413: components['responses']['Error.413.payload_too_large'];
      415: components['responses']['Error.415.unsupported_media_type'];
      422: components['responses']['Error.422.validation_failed.idempotency_key_reused'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  listConnections: {
    parameters: {
      query?: {
        page?: number;
        page_size?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: components['schemas']['ConnectionPage'];
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.mixed_credentials'];
      401: components['responses']['Error.401.unauthenticated.token_expired'];
      403: components['responses']['Error.403.human_only'];
      422: components['responses']['Error.422.validation_failed'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  deleteConnection: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Required for agents, honoured for humans. The same key again gets the stored answer.
         * @example 0b6f2c1e-purchase-4711
         */
        'Idempotency-Key'?: string;
      };
      path: {
        platform_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: {
              /** Format: uuid */
              id: string;
              /** @constant */
              deleted: true;
            };
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.mixed_credentials'];
      401: components['responses']['Error.401.unauthenticated.token_expired'];
      403: components['responses']['Error.403.human_only'];
      404: components['responses']['Error.404.not_found'];
      409: components['responses']['Error.409.idempotency_key_in_use'];
      422: components['responses']['Error.422.validation_failed.idempotency_key_reused'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  deleteConnectionKey: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Required for agents, honoured for humans. The same key again gets the stored answer.
         * @example 0b6f2c1e-purchase-4711
         */
        'Idempotency-Key'?: string;
      };
      path: {
        platform_id: string;
        key_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: {
              /** Format: uuid */
              id: string;
              /** @constant */
              deleted: true;
            };
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.mixed_credentials'];
      401: components['responses']['Error.401.unauthenticated.token_expired'];
      403: components['responses']['Error.403.human_only'];
      404: components['responses']['Error.404.not_found'];
      409: components['responses']['Error.409.idempotency_key_in_use'];
      422: components['responses']['Error.422.validation_failed.idempotency_key_reused'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  getWallet: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: components['schemas']['Wallet'];
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.mixed_credentials'];
      401: components['responses']['Error.401.unauthenticated.token_expired.invalid_api_key'];
      403: components['responses']['Error.403.user_not_granted.forbidden'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  listWalletEntries: {
    parameters: {
      query?: {
        /** @example settle */
        kind?: 'credit' | 'freeze' | 'settle' | 'unfreeze';
        /** @example available */
        account?: 'available' | 'frozen';
        /** @example 01936f3e-7c1a-7000-8000-000000000002 */
        transaction_id?: string;
        page?: number;
        page_size?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: components['schemas']['WalletEntryPage'];
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.mixed_credentials'];
      401: components['responses']['Error.401.unauthenticated.token_expired.invalid_api_key'];
      403: components['responses']['Error.403.user_not_granted.forbidden'];
      422: components['responses']['Error.422.validation_failed'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  listCapabilities: {
    parameters: {
      query?: {
        /**
         * @description Code from GET /api/v1/categories
         * @example data
         */
        category?: components['schemas']['CategoryCode'];
        /**
         * @description Words of title and description
         * @example company register
         */
        q?: string;
        /** @example api */
        capability_type?: components['schemas']['CapabilityType'];
        /** @example per_query */
        pricing_model?: components['schemas']['PricingModel'];
        /** @example instant */
        delivery_mode?: components['schemas']['DeliveryMode'];
        /**
         * @description One tag, exactly
         * @example company
         */
        tag?: string;
        /**
         * @description Unit price at least
         * @example 0.10
         */
        min_price_ut?: components['schemas']['UtAmount'];
        /**
         * @description Unit price at most
         * @example 5.00
         */
        max_price_ut?: components['schemas']['UtAmount'];
        /**
         * @description Registrant
         * @example 01936f3e-7c1a-7000-8000-000000000001
         */
        agent_id?: string;
        /** @example true */
        available?: 'true' | 'false';
        /**
         * @description Order of the list
         * @example price_asc
         */
        sort?: 'newest' | 'price_asc' | 'price_desc' | 'quality' | 'sold';
        page?: number;
        page_size?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: components['schemas']['CapabilityPage'];
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.mixed_credentials'];
      401: components['responses']['Error.401.unauthenticated.token_expired.invalid_api_key'];
      403: components['responses']['Error.403.user_not_granted.forbidden'];
      422: components['responses']['Error.422.validation_failed'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  createCapability: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Required for agents, honoured for humans. The same key again gets the stored answer.
         * @example 0b6f2c1e-purchase-4711
         */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateCapabilityRequest'];
      };
    };
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: components['schemas']['WrittenCapability'];
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.mixed_credentials.malformed_request.idempotency_key_required'];
      401: components['responses']['Error.401.unauthenticated.token_expired.invalid_api_key'];
      403: components['responses']['Error.403.user_not_granted.forbidden'];
      409: components['responses']['Error.409.conflict.idempotency_key_in_use'];
      413: components['responses']['Error.413.payload_too_large'];
      415: components['responses']['Error.415.unsupported_media_type'];
      422: components['responses']['Error.422.validation_failed.idempotency_key_reused'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  createCapabilities: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Required for agents, honoured for humans. The same key again gets the stored answer.
         * @example 0b6f2c1e-purchase-4711
         */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['BatchCapabilityRequest'];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: components['schemas']['BatchCapabilityResult'];
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.mixed_credentials.malformed_request.idempotency_key_required'];
      401: components['responses']['Error.401.unauthenticated.token_expired.invalid_api_key'];
      403: components['responses']['Error.403.user_not_granted.forbidden'];
      409: components['responses']['Error.409.idempotency_key_in_use'];
      413: components['responses']['Error.413.payload_too_large'];
      415: components['responses']['Error.415.unsupported_media_type'];
      422: components['responses']['Error.422.validation_failed.idempotency_key_reused'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  getCapability: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        cap_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: components['schemas']['Capability'];
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.mixed_credentials'];
      401: components['responses']['Error.401.unauthenticated.token_expired.invalid_api_key'];
      403: components['responses']['Error.403.user_not_granted.forbidden'];
      404: components['responses']['Error.404.not_found'];
      422: components['responses']['Error.422.validation_failed'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  updateCapability: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Required for agents, honoured for humans. The same key again gets the stored answer.
         * @example 0b6f2c1e-purchase-4711
         */
        'Idempotency-Key'?: string;
      };
      path: {
        cap_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateCapabilityRequest'];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: components['schemas']['WrittenCapability'];
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.mixed_credentials.malformed_request.idempotency_key_required'];
      401: components['responses']['Error.401.unauthenticated.token_expired.invalid_api_key'];
      403: components['responses']['Error.403.forbidden.user_not_granted'];
      404: components['responses']['Error.404.not_found'];
      409: components['responses']['Error.409.idempotency_key_in_use'];
      413: components['responses']['Error.413.payload_too_large'];
      415: components['responses']['Error.415.unsupported_media_type'];
      422: components['responses']['Error.422.validation_failed.idempotency_key_reused'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  deleteCapability: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Required for agents, honoured for humans. The same key again gets the stored answer.
         * @example 0b6f2c1e-purchase-4711
         */
        'Idempotency-Key'?: string;
      };
      path: {
        cap_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: {
              /**
               * Format: uuid
               * @description What was deleted
               */
              id: string;
              /** @constant */
              deleted: true;
            };
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.mixed_credentials.idempotency_key_required'];
      401: components['responses']['Error.401.unauthenticated.token_expired.invalid_api_key'];
      403: components['responses']['Error.403.forbidden.user_not_granted'];
      404: components['responses']['Error.404.not_found'];
      409: components['responses']['Error.409.idempotency_key_in_use'];
      422: components['responses']['Error.422.validation_failed.idempotency_key_reused'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  rotateCallbackSecret: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Required for agents, honoured for humans. The same key again gets the stored answer.
         * @example 0b6f2c1e-purchase-4711
         */
        'Idempotency-Key'?: string;
      };
      path: {
        cap_id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "immediately": true
         *     }
         */
        'application/json': {
          /**
           * @description true: every earlier secret stops signing at once. For a secret that has leaked
           * @default false
           */
          immediately?: boolean;
          /**
           * @description Counts as the header Idempotency-Key
           * @example order-4711
           */
          idempotency_key?: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: components['schemas']['RotatedCallbackSecret'];
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.mixed_credentials.malformed_request.idempotency_key_required'];
      401: components['responses']['Error.401.unauthenticated.token_expired.invalid_api_key'];
      403: components['responses']['Error.403.forbidden.user_not_granted'];
      404: components['responses']['Error.404.not_found'];
      409: components['responses']['Error.409.conflict.idempotency_key_in_use'];
      413: components['responses']['Error.413.payload_too_large'];
      415: components['responses']['Error.415.unsupported_media_type'];
      422: components['responses']['Error.422.validation_failed.idempotency_key_reused'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  testCallback: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Required for agents, honoured for humans. The same key again gets the stored answer.
         * @example 0b6f2c1e-purchase-4711
         */
        'Idempotency-Key'?: string;
      };
      path: {
        cap_id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "input": {
         *         "company": "Example Ltd"
         *       }
         *     }
         */
        'application/json': {
          /**
           * @description Parameters passed to the capability
           * @default {}
           */
          input?: {
            [key: string]: unknown;
          };
          /**
           * @description Counts as the header Idempotency-Key
           * @example order-4711
           */
          idempotency_key?: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: components['schemas']['TestedCallback'];
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.mixed_credentials.malformed_request.idempotency_key_required'];
      401: components['responses']['Error.401.unauthenticated.token_expired.invalid_api_key'];
      403: components['responses']['Error.403.forbidden.user_not_granted'];
      404: components['responses']['Error.404.not_found'];
      409: components['responses']['Error.409.conflict.idempotency_key_in_use'];
      413: components['responses']['Error.413.payload_too_large'];
      415: components['responses']['Error.415.unsupported_media_type'];
      422: components['responses']['Error.422.validation_failed.idempotency_key_reused'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  listCallbackDeliveries: {
    parameters: {
      query?: {
        /** @example failed */
        outcome?: 'answered' | 'accepted' | 'refused' | 'failed' | 'timed_out';
        /**
         * @description Calls of one invocation
         * @example 019ab7c2-5d3e-7a61-9c55-0f5f5a1b2c3d
         */
        transaction_id?: string;
        /**
         * @description Tests only, or invocations only
         * @example false
         */
        test?: 'true' | 'false';
        page?: number;
        page_size?: number;
      };
      header?: never;
      path: {
        cap_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: components['schemas']['CallbackDeliveryPage'];
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.mixed_credentials'];
      401: components['responses']['Error.401.unauthenticated.token_expired.invalid_api_key'];
      403: components['responses']['Error.403.forbidden.user_not_granted'];
      404: components['responses']['Error.404.not_found'];
      422: components['responses']['Error.422.validation_failed'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  invokeCapability: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Required for agents, honoured for humans. The same key again gets the stored answer.
         * @example 0b6f2c1e-purchase-4711
         */
        'Idempotency-Key'?: string;
      };
      path: {
        cap_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['InvokeRequest'];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: components['schemas']['InvokeResult'];
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.mixed_credentials.malformed_request.idempotency_key_required'];
      401: components['responses']['Error.401.unauthenticated.token_expired.invalid_api_key'];
      402: components['responses']['Error.402.insufficient_balance'];
      403: components['responses']['Error.403.self_dealing.user_not_granted.forbidden.agent_only'];
      404: components['responses']['Error.404.not_found'];
      409: components['responses']['Error.409.conflict.idempotency_key_in_use'];
      413: components['responses']['Error.413.payload_too_large'];
      415: components['responses']['Error.415.unsupported_media_type'];
      422: components['responses']['Error.422.validation_failed.idempotency_key_reused'];
      429: components['responses']['Error.429.daily_limit_reached.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      502: components['responses']['Error.502.callback_failed'];
      503: components['responses']['Error.503.unavailable'];
      504: components['responses']['Error.504.callback_timeout'];
    };
  };
  listTransactions: {
    parameters: {
      query?: {
        /** @description empty for all */
        role?: 'buyer' | 'seller' | '';
        status?:
          | 'pending'
          | 'frozen'
          | 'accepted'
          | 'delivered'
          | 'confirmed'
          | 'disputed'
          | 'settled'
          | 'cancelled_by_buyer'
          | 'rejected_by_seller'
          | 'failed'
          | '';
        capability_id?: string;
        context_id?: string;
        page?: number;
        page_size?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: components['schemas']['TransactionPage'];
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.mixed_credentials'];
      401: components['responses']['Error.401.unauthenticated.token_expired.invalid_api_key'];
      403: components['responses']['Error.403.user_not_granted.forbidden'];
      422: components['responses']['Error.422.validation_failed'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  createTransaction: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Required for agents, honoured for humans. The same key again gets the stored answer.
         * @example 0b6f2c1e-purchase-4711
         */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateTransactionRequest'];
      };
    };
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: components['schemas']['Transaction'];
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.mixed_credentials.malformed_request.idempotency_key_required'];
      401: components['responses']['Error.401.unauthenticated.token_expired.invalid_api_key'];
      403: components['responses']['Error.403.self_dealing.user_not_granted.forbidden'];
      404: components['responses']['Error.404.not_found'];
      409: components['responses']['Error.409.conflict.idempotency_key_in_use'];
      413: components['responses']['Error.413.payload_too_large'];
      415: components['responses']['Error.415.unsupported_media_type'];
      422: components['responses']['Error.422.validation_failed.idempotency_key_reused'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  getTransaction: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tx_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: components['schemas']['Transaction'];
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.mixed_credentials'];
      401: components['responses']['Error.401.unauthenticated.token_expired.invalid_api_key'];
      403: components['responses']['Error.403.not_a_party.user_not_granted.forbidden'];
      404: components['responses']['Error.404.not_found'];
      422: components['responses']['Error.422.validation_failed'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  freezeTransaction: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Required for agents, honoured for humans. The same key again gets the stored answer.
         * @example 0b6f2c1e-purchase-4711
         */
        'Idempotency-Key'?: string;
      };
      path: {
        tx_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: components['schemas']['Transaction'];
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.mixed_credentials.malformed_request.idempotency_key_required'];
      401: components['responses']['Error.401.unauthenticated.token_expired.invalid_api_key'];
      402: components['responses']['Error.402.insufficient_balance'];
      403: components['responses']['Error.403.not_a_party.user_not_granted.forbidden'];
      404: components['responses']['Error.404.not_found'];
      409: components['responses']['Error.409.invalid_state.idempotency_key_in_use'];
      413: components['responses']['Error.413.payload_too_large'];
      415: components['responses']['Error.415.unsupported_media_type'];
      422: components['responses']['Error.422.validation_failed.idempotency_key_reused'];
      429: components['responses']['Error.429.daily_limit_reached.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  acceptTransaction: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Required for agents, honoured for humans. The same key again gets the stored answer.
         * @example 0b6f2c1e-purchase-4711
         */
        'Idempotency-Key'?: string;
      };
      path: {
        tx_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: components['schemas']['Transaction'];
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.mixed_credentials.malformed_request.idempotency_key_required'];
      401: components['responses']['Error.401.unauthenticated.token_expired.invalid_api_key'];
      403: components['responses']['Error.403.not_a_party.user_not_granted.forbidden'];
      404: components['responses']['Error.404.not_found'];
      409: components['responses']['Error.409.invalid_state.idempotency_key_in_use'];
      413: components['responses']['Error.413.payload_too_large'];
      415: components['responses']['Error.415.unsupported_media_type'];
      422: components['responses']['Error.422.validation_failed.idempotency_key_reused'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  rejectTransaction: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Required for agents, honoured for humans. The same key again gets the stored answer.
         * @example 0b6f2c1e-purchase-4711
         */
        'Idempotency-Key'?: string;
      };
      path: {
        tx_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: components['schemas']['Transaction'];
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.mixed_credentials.malformed_request.idempotency_key_required'];
      401: components['responses']['Error.401.unauthenticated.token_expired.invalid_api_key'];
      403: components['responses']['Error.403.not_a_party.user_not_granted.forbidden'];
      404: components['responses']['Error.404.not_found'];
      409: components['responses']['Error.409.invalid_state.idempotency_key_in_use'];
      413: components['responses']['Error.413.payload_too_large'];
      415: components['responses']['Error.415.unsupported_media_type'];
      422: components['responses']['Error.422.validation_failed.idempotency_key_reused'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  confirmTransaction: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Required for agents, honoured for humans. The same key again gets the stored answer.
         * @example 0b6f2c1e-purchase-4711
         */
        'Idempotency-Key'?: string;
      };
      path: {
        tx_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: components['schemas']['Transaction'];
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.mixed_credentials.malformed_request.idempotency_key_required'];
      401: components['responses']['Error.401.unauthenticated.token_expired.invalid_api_key'];
      403: components['responses']['Error.403.not_a_party.user_not_granted.forbidden'];
      404: components['responses']['Error.404.not_found'];
      409: components['responses']['Error.409.invalid_state.idempotency_key_in_use'];
      413: components['responses']['Error.413.payload_too_large'];
      415: components['responses']['Error.415.unsupported_media_type'];
      422: components['responses']['Error.422.validation_failed.idempotency_key_reused'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  cancelTransaction: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Required for agents, honoured for humans. The same key again gets the stored answer.
         * @example 0b6f2c1e-purchase-4711
         */
        'Idempotency-Key'?: string;
      };
      path: {
        tx_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: components['schemas']['Transaction'];
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.mixed_credentials.malformed_request.idempotency_key_required'];
      401: components['responses']['Error.401.unauthenticated.token_expired.invalid_api_key'];
      403: components['responses']['Error.403.not_a_party.user_not_granted.forbidden'];
      404: components['responses']['Error.404.not_found'];
      409: components['responses']['Error.409.invalid_state.idempotency_key_in_use'];
      413: components['responses']['Error.413.payload_too_large'];
      415: components['responses']['Error.415.unsupported_media_type'];
      422: components['responses']['Error.422.validation_failed.idempotency_key_reused'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  deliverTransaction: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Required for agents, honoured for humans. The same key again gets the stored answer.
         * @example 0b6f2c1e-purchase-4711
         */
        'Idempotency-Key'?: string;
      };
      path: {
        tx_id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['DeliverRequest'];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: components['schemas']['Transaction'];
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.mixed_credentials.malformed_request.idempotency_key_required'];
      401: components['responses']['Error.401.unauthenticated.token_expired.invalid_api_key'];
      403: components['responses']['Error.403.not_a_party.user_not_granted.forbidden'];
      404: components['responses']['Error.404.not_found'];
      409: components['responses']['Error.409.invalid_state.idempotency_key_in_use'];
      413: components['responses']['Error.413.payload_too_large'];
      415: components['responses']['Error.415.unsupported_media_type'];
      422: components['responses']['Error.422.validation_failed.idempotency_key_reused'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  disputeTransaction: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Required for agents, honoured for humans. The same key again gets the stored answer.
         * @example 0b6f2c1e-purchase-4711
         */
        'Idempotency-Key'?: string;
      };
      path: {
        tx_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['DisputeRequest'];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: components['schemas']['Transaction'];
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.mixed_credentials.malformed_request.idempotency_key_required'];
      401: components['responses']['Error.401.unauthenticated.token_expired.invalid_api_key'];
      403: components['responses']['Error.403.not_a_party.user_not_granted.forbidden'];
      404: components['responses']['Error.404.not_found'];
      409: components['responses']['Error.409.invalid_state.idempotency_key_in_use'];
      413: components['responses']['Error.413.payload_too_large'];
      415: components['responses']['Error.415.unsupported_media_type'];
      422: components['responses']['Error.422.validation_failed.idempotency_key_reused'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  requestChangesOfTransaction: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Required for agents, honoured for humans. The same key again gets the stored answer.
         * @example 0b6f2c1e-purchase-4711
         */
        'Idempotency-Key'?: string;
      };
      path: {
        tx_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RequestChangesRequest'];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: components['schemas']['Transaction'];
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.mixed_credentials.malformed_request.idempotency_key_required'];
      401: components['responses']['Error.401.unauthenticated.token_expired.invalid_api_key'];
      403: components['responses']['Error.403.not_a_party.user_not_granted.forbidden'];
      404: components['responses']['Error.404.not_found'];
      409: components['responses']['Error.409.invalid_state.idempotency_key_in_use'];
      413: components['responses']['Error.413.payload_too_large'];
      415: components['responses']['Error.415.unsupported_media_type'];
      422: components['responses']['Error.422.validation_failed.idempotency_key_reused'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  listWebhooks: {
    parameters: {
      query?: {
        page?: number;
        page_size?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: components['schemas']['WebhookPage'];
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.mixed_credentials'];
      401: components['responses']['Error.401.unauthenticated.token_expired.invalid_api_key'];
      403: components['responses']['Error.403.user_not_granted.forbidden'];
      422: components['responses']['Error.422.validation_failed'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  createWebhook: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Required for agents, honoured for humans. The same key again gets the stored answer.
         * @example 0b6f2c1e-purchase-4711
         */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateWebhookRequest'];
      };
    };
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: components['schemas']['CreatedWebhook'];
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.mixed_credentials.malformed_request.idempotency_key_required'];
      401: components['responses']['Error.401.unauthenticated.token_expired.invalid_api_key'];
      403: components['responses']['Error.403.user_not_granted.forbidden'];
      409: components['responses']['Error.409.conflict.idempotency_key_in_use'];
      413: components['responses']['Error.413.payload_too_large'];
      415: components['responses']['Error.415.unsupported_media_type'];
      422: components['responses']['Error.422.validation_failed.idempotency_key_reused'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  getWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        webhook_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: components['schemas']['Webhook'];
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.mixed_credentials'];
      401: components['responses']['Error.401.unauthenticated.token_expired.invalid_api_key'];
      403: components['responses']['Error.403.user_not_granted.forbidden'];
      404: components['responses']['Error.404.not_found'];
      422: components['responses']['Error.422.validation_failed'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  updateWebhook: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Required for agents, honoured for humans. The same key again gets the stored answer.
         * @example 0b6f2c1e-purchase-4711
         */
        'Idempotency-Key'?: string;
      };
      path: {
        webhook_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateWebhookRequest'];
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: components['schemas']['Webhook'];
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.mixed_credentials.malformed_request.idempotency_key_required'];
      401: components['responses']['Error.401.unauthenticated.token_expired.invalid_api_key'];
      403: components['responses']['Error.403.user_not_granted.forbidden'];
      404: components['responses']['Error.404.not_found'];
      409: components['responses']['Error.409.idempotency_key_in_use'];
      413: components['responses']['Error.413.payload_too_large'];
      415: components['responses']['Error.415.unsupported_media_type'];
      422: components['responses']['Error.422.validation_failed.idempotency_key_reused'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  deleteWebhook: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Required for agents, honoured for humans. The same key again gets the stored answer.
         * @example 0b6f2c1e-purchase-4711
         */
        'Idempotency-Key'?: string;
      };
      path: {
        webhook_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: {
              /**
               * Format: uuid
               * @description What was deleted
               * @example 019ab7c2-5d3e-7a61-9c55-0f5f5a1b2c3d
               */
              id: string;
              /** @constant */
              deleted: true;
            };
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.mixed_credentials.idempotency_key_required'];
      401: components['responses']['Error.401.unauthenticated.token_expired.invalid_api_key'];
      403: components['responses']['Error.403.user_not_granted.forbidden'];
      404: components['responses']['Error.404.not_found'];
      409: components['responses']['Error.409.idempotency_key_in_use'];
      422: components['responses']['Error.422.validation_failed.idempotency_key_reused'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  rotateWebhookSecret: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Required for agents, honoured for humans. The same key again gets the stored answer.
         * @example 0b6f2c1e-purchase-4711
         */
        'Idempotency-Key'?: string;
      };
      path: {
        webhook_id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "immediately": true
         *     }
         */
        'application/json': {
          /**
           * @description true: every earlier secret stops signing at once. For a secret that has leaked
           * @default false
           */
          immediately?: boolean;
          /**
           * @description Counts as the header Idempotency-Key
           * @example order-4711
           */
          idempotency_key?: string;
        };
      };
    };
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: components['schemas']['RotatedWebhookSecret'];
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.mixed_credentials.malformed_request.idempotency_key_required'];
      401: components['responses']['Error.401.unauthenticated.token_expired.invalid_api_key'];
      403: components['responses']['Error.403.user_not_granted.forbidden'];
      404: components['responses']['Error.404.not_found'];
      409: components['responses']['Error.409.idempotency_key_in_use'];
      413: components['responses']['Error.413.payload_too_large'];
      415: components['responses']['Error.415.unsupported_media_type'];
      422: components['responses']['Error.422.validation_failed.idempotency_key_reused'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  testWebhook: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Required for agents, honoured for humans. The same key again gets the stored answer.
         * @example 0b6f2c1e-purchase-4711
         */
        'Idempotency-Key'?: string;
      };
      path: {
        webhook_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: components['schemas']['WebhookDelivery'];
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.mixed_credentials.malformed_request.idempotency_key_required'];
      401: components['responses']['Error.401.unauthenticated.token_expired.invalid_api_key'];
      403: components['responses']['Error.403.user_not_granted.forbidden'];
      404: components['responses']['Error.404.not_found'];
      409: components['responses']['Error.409.idempotency_key_in_use'];
      413: components['responses']['Error.413.payload_too_large'];
      415: components['responses']['Error.415.unsupported_media_type'];
      422: components['responses']['Error.422.validation_failed.idempotency_key_reused'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  listWebhookDeliveries: {
    parameters: {
      query?: {
        /** @example failed */
        status?: 'pending' | 'delivered' | 'failed' | 'cancelled';
        /** @example transaction.delivered */
        event_type?: string;
        page?: number;
        page_size?: number;
      };
      header?: never;
      path: {
        webhook_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: components['schemas']['WebhookDeliveryPage'];
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.mixed_credentials'];
      401: components['responses']['Error.401.unauthenticated.token_expired.invalid_api_key'];
      403: components['responses']['Error.403.user_not_granted.forbidden'];
      404: components['responses']['Error.404.not_found'];
      422: components['responses']['Error.422.validation_failed'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  getWebhookDelivery: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        webhook_id: string;
        delivery_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: components['schemas']['WebhookDeliveryDetail'];
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.mixed_credentials'];
      401: components['responses']['Error.401.unauthenticated.token_expired.invalid_api_key'];
      403: components['responses']['Error.403.user_not_granted.forbidden'];
      404: components['responses']['Error.404.not_found'];
      422: components['responses']['Error.422.validation_failed'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  resendWebhookDelivery: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Required for agents, honoured for humans. The same key again gets the stored answer.
         * @example 0b6f2c1e-purchase-4711
         */
        'Idempotency-Key'?: string;
      };
      path: {
        webhook_id: string;
        delivery_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: components['schemas']['WebhookDelivery'];
            timestamp: number;
          };
        };
      };
      400: components['responses']['Error.400.mixed_credentials.malformed_request.idempotency_key_required'];
      401: components['responses']['Error.401.unauthenticated.token_expired.invalid_api_key'];
      403: components['responses']['Error.403.user_not_granted.forbidden'];
      404: components['responses']['Error.404.not_found'];
      409: components['responses']['Error.409.conflict.idempotency_key_in_use'];
      413: components['responses']['Error.413.payload_too_large'];
      415: components['responses']['Error.415.unsupported_media_type'];
      422: components['responses']['Error.422.validation_failed.idempotency_key_reused'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  streamTransactionEvents: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tx_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The stream; the schema is that of each `data` */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/event-stream': components['schemas']['TransactionEvent'];
        };
      };
      401: components['responses']['Error.401.unauthenticated.token_expired.invalid_api_key'];
      403: components['responses']['Error.403.forbidden.not_a_party.user_not_granted'];
      404: components['responses']['Error.404.not_found'];
      422: components['responses']['Error.422.validation_failed'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
  listEvents: {
    parameters: {
      query?: {
        /**
         * @description Events after this number. Left out: a page starts at the first, a stream with what happens now
         * @example 4711
         */
        after?: string;
        /** @description Of a page; a stream has none */
        limit?: number;
        /** @description Events of one transaction */
        transaction_id?: string;
        /**
         * @description Events of one type
         * @example transaction.settled
         */
        type?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page; or with `Accept: text/event-stream` the stream, whose schema is that of each `data` */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            code: 0;
            /** @constant */
            message: 'success';
            data: components['schemas']['EventPage'];
            timestamp: number;
          };
          'text/event-stream': components['schemas']['Event'];
        };
      };
      400: components['responses']['Error.400.mixed_credentials'];
      401: components['responses']['Error.401.unauthenticated.token_expired.invalid_api_key'];
      403: components['responses']['Error.403.user_not_granted.forbidden'];
      422: components['responses']['Error.422.validation_failed'];
      429: components['responses']['Error.429.rate_limited'];
      500: components['responses']['Error.500.internal_error'];
      503: components['responses']['Error.503.unavailable'];
    };
  };
}

/** The table of errors: name → code. */
export const errorCodes = {
  validation_failed: 4000,
  malformed_request: 4001,
  idempotency_key_required: 4002,
  mixed_credentials: 4003,
  unauthenticated: 4010,
  token_expired: 4011,
  invalid_api_key: 4012,
  insufficient_balance: 4020,
  forbidden: 4030,
  not_a_party: 4031,
  agent_only: 4032,
  human_only: 4032,
  owner_type_mismatch: 4033,
  user_not_granted: 4034,
  self_dealing: 4035,
  not_found: 4040,
  method_not_allowed: 4050,
  invalid_state: 4090,
  idempotency_key_in_use: 4091,
  idempotency_key_reused: 4092,
  conflict: 4093,
  payload_too_large: 4130,
  unsupported_media_type: 4150,
  rate_limited: 4290,
  daily_limit_reached: 4291,
  authorization_pending: 4801,
  slow_down: 4802,
  access_denied: 4803,
  expired_token: 4804,
  internal_error: 5000,
  callback_failed: 5020,
  unavailable: 5030,
  callback_timeout: 5040,
} as const;

/** Writes that take no Idempotency-Key. */
export const unkeyedWrites = [
  'POST /api/v1/auth/register',
  'POST /api/v1/auth/login',
  'POST /api/v1/auth/refresh',
  'POST /api/v1/auth/logout',
  'POST /api/v1/auth/logout-all',
  'POST /api/v1/auth/password',
  'POST /api/v1/auth/device-auth',
  'POST /api/v1/auth/device-auth/poll',
] as const;
