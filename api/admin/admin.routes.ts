import { auditRoutes } from '../audit/audit.routes.ts';
import type { AddRoute } from '../route.ts';
import { adminTransactionRoutes } from '../transaction/admin-transaction.routes.ts';
import { adminWalletRoutes } from '../wallet/admin-wallet.routes.ts';
import { keyRoutes } from './key.routes.ts';
import { platformRoutes } from './platform.routes.ts';

/** Everything under `/api/v1/admin`. */
export function adminRoutes(add: AddRoute): void {
  platformRoutes(add);
  keyRoutes(add);
  adminWalletRoutes(add);
  adminTransactionRoutes(add);
  auditRoutes(add);
}
