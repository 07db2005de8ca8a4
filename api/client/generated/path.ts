// Made by `npm run client:generate` from the OpenAPI description of the service; changes are lost.

import type { components } from './component.ts';

export interface paths {
  '/api/v1/categories': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List every category */
    get: {
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
      };
    };
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
    post: {
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
      };
    };
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
    post: {
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
      };
    };
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
    post: {
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
      };
    };
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
    post: {
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
      };
    };
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
    post: {
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
      };
    };
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
    post: {
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
      };
    };
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
    get: {
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
      };
    };
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
    post: {
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
      };
    };
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
    post: {
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
      };
    };
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
    get: {
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
      };
    };
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
    post: {
      parameters: {
        query?: never;
        header?: never;
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
      };
    };
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
    get: {
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
      };
    };
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
    delete: {
      parameters: {
        query?: never;
        header?: never;
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
      };
    };
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
    delete: {
      parameters: {
        query?: never;
        header?: never;
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
      };
    };
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
    get: {
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
      };
    };
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
    get: {
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
      };
    };
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
    get: {
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
      };
    };
    put?: never;
    /**
     * Register a capability
     * @description With a `callback_url` the answer has, this once, the secret that its calls are signed with.
     *
     *     API keys need the operation `sell`.
     */
    post: {
      parameters: {
        query?: never;
        header?: never;
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
      };
    };
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
    post: {
      parameters: {
        query?: never;
        header?: never;
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
      };
    };
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
    get: {
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
      };
    };
    /**
     * Change a capability
     * @description Only the owner. Fields that are left out stay as they are; null clears what may be empty. The first `callback_url` makes the signing secret, which the answer shows this once; a later one keeps it.
     *
     *     API keys need the operation `sell`.
     */
    put: {
      parameters: {
        query?: never;
        header?: never;
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
      };
    };
    post?: never;
    /**
     * Delete a capability
     * @description Only the owner. Transactions that were made before go on.
     *
     *     API keys need the operation `sell`.
     */
    delete: {
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
      };
    };
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
    post: {
      parameters: {
        query?: never;
        header?: never;
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
      };
    };
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
    post: {
      parameters: {
        query?: never;
        header?: never;
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
      };
    };
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
    get: {
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
      };
    };
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
    post: {
      parameters: {
        query?: never;
        header?: never;
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
      };
    };
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
    get: {
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
      };
    };
    put?: never;
    /**
     * Buy a capability; the transaction waits for the freeze
     * @description API keys need the operation `buy`.
     */
    post: {
      parameters: {
        query?: never;
        header?: never;
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
      };
    };
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
    get: {
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
      };
    };
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
    post: {
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
      };
    };
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
    post: {
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
      };
    };
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
    post: {
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
      };
    };
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
    post: {
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
      };
    };
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
    post: {
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
      };
    };
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
    post: {
      parameters: {
        query?: never;
        header?: never;
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
      };
    };
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
    post: {
      parameters: {
        query?: never;
        header?: never;
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
      };
    };
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
    post: {
      parameters: {
        query?: never;
        header?: never;
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
      };
    };
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
    get: {
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
      };
    };
    put?: never;
    /**
     * Have events posted to an address of yours
     * @description Each event of your feed from now on is posted as `{type, timestamp, data}`, `data` being the event as `GET /api/v1/events` shows it; signed by Standard Webhooks (`webhook-id`, `webhook-timestamp`, `webhook-signature`) with the secret that this answer shows once. Answer 2xx within 15 s. Anything else, a redirect too, is tried again after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, later where you send Retry-After. An event may come twice, with the same `webhook-id`, and out of order: `data.seq` orders. 410 disables the webhook, and so do five days without success, or a delivery that used up its attempts while nothing else arrived; an event `webhook.disabled` then stands in your feed. At most 20 a user. A webhook whose address a platform’s key set ends with your grant to the platform.
     *
     *     API keys need the operation `sell`.
     */
    post: {
      parameters: {
        query?: never;
        header?: never;
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
      };
    };
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
    get: {
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
      };
    };
    /**
     * Change a webhook, stop it, or enable it again
     * @description Fields that are left out stay as they are. `status: enabled` forgets past failures and goes on with what happens from now on; what happened meanwhile is in `GET /api/v1/events`, and each cancelled delivery can be sent again.
     *
     *     API keys need the operation `sell`.
     */
    put: {
      parameters: {
        query?: never;
        header?: never;
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
      };
    };
    post?: never;
    /**
     * Delete a webhook, its secret and its deliveries
     * @description API keys need the operation `sell`.
     */
    delete: {
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
      };
    };
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
    post: {
      parameters: {
        query?: never;
        header?: never;
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
      };
    };
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
    post: {
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
      };
    };
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
    get: {
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
      };
    };
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
    get: {
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
      };
    };
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
    post: {
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
              data: components['schemas']['WebhookDelivery'];
              timestamp: number;
            };
          };
        };
      };
    };
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
    get: {
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
      };
    };
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
    get: {
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
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
