/** Never gives the sandbox back. */
export async function endless(): Promise<never> {
  for (;;);
}

/** The same in turns that never end. */
export async function endlessTurns(): Promise<never> {
  for (;;) await Promise.resolve();
}

export async function swift(): Promise<string> {
  return 'done';
}
