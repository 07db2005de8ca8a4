import { findChromium, installChromium } from './chromium.ts';

/** Sees to a Chromium before the tests start, unless only others are asked for. Those of the browser fail without. */
export default function setup(): void {
  const asked = process.argv.filter((one) => one.endsWith('.test.ts'));
  const isForOthers = asked.length > 0 && !asked.some((one) => one.includes('browser'));
  if (!isForOthers && findChromium() === null) installChromium();
}
