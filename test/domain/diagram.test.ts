import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { stateDiagram } from '../../domain/transaction/diagram.ts';

it('the README shows the state machine as it is', async () => {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  const shown = /```mermaid\n(stateDiagram[\s\S]*?)\n```/.exec(readme)?.[1];
  expect(shown, 'paste the output of stateDiagram() into the README').toBe(stateDiagram());
});
