import { tellNote } from './narrator.ts';

const triesMax = 3;

/**
 * Makes something whose answer shows a secret once. Where that answer was lost on the way, its replay has no secret:
 * what was made is then taken back, and made anew.
 */
export async function makeShownOnce<T extends { readonly id: string }>(
  make: () => Promise<T>,
  secretOf: (made: T) => string | undefined,
  takeBack: (id: string) => Promise<void>,
): Promise<{ readonly made: T; readonly secret: string }> {
  for (let attempt = 1; attempt <= triesMax; attempt += 1) {
    const made = await make();
    const secret = secretOf(made);
    if (secret !== undefined) return { made, secret };
    tellNote('The answer that showed the secret was lost on the way, and it is shown once: taken back, and made anew.');
    await takeBack(made.id);
  }
  throw new Error(`No answer showed a secret, ${triesMax} times in a row.`);
}
