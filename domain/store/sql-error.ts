/** The database or the way to it is down: nothing was decided, the same request may be sent again. */
export function isConnectionFailure(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause) {
    const code = (one as { code?: unknown }).code;
    if (
      typeof code === 'string' &&
      /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|08|57P0|53300|25P03|40001|40P01|55P03)/.test(code)
    )
      return true;
    if (/terminated|timeout exceeded when trying to connect|Connection ended|not queryable/i.test(one.message))
      return true;
  }
  return false;
}

/** The driver's error lies at the end of the ORM's chain of causes. */
export function sqlErrorOf(error: unknown): { code: string; detail: string | null; message: string } {
  for (let one = error; one instanceof Error; one = one.cause) {
    const { code, detail } = one as { code?: unknown; detail?: unknown };
    if (typeof code === 'string') {
      return { code, detail: typeof detail === 'string' ? detail : null, message: one.message };
    }
  }
  return { code: '', detail: null, message: String(error) };
}
