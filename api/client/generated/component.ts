// Made by `npm run client:generate` from the OpenAPI description of the service; changes are lost.

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
       * @description For the person: twice four letters
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
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
