import { ActivityFailure, ApplicationFailure } from '@temporalio/workflow';
import { MarketplaceError } from '../domain/errors.ts';

/**
 * A refusal as a failure that crosses to the caller of an Update: type = name in the error table, details = [data], so
 * that it ends the operation and never the workflow. What is no refusal is a bug: it fails the workflow task, which is
 * tried again when the worker is mended, and nothing is lost.
 */
export function asFailure(error: unknown): unknown {
  if (error instanceof MarketplaceError) {
    return ApplicationFailure.nonRetryable(error.message, error.errorName, error.data);
  }
  if (error instanceof ActivityFailure && error.cause instanceof ApplicationFailure) return error.cause;
  return error;
}

/** One line for the operator. */
export function troubleOf(error: unknown): string {
  const cause = asFailure(error);
  return cause instanceof ApplicationFailure ? `${cause.type ?? 'failure'}: ${cause.message}` : String(cause);
}

/** Runs a decision whose refusals go to the caller. */
export function refusable<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asFailure(error);
  }
}
