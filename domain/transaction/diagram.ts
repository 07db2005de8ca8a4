import { lifecycle, type Move } from './lifecycle.ts';
import { terminalStatuses } from './transaction.ts';

/** The state machine as a Mermaid diagram for the README; made from the data that the workflow runs on. */
export function stateDiagram(): string {
  const edges = lifecycle.filter((move) => move.operation !== 'fail').flatMap(edgesOf);
  const grouped = Map.groupBy(edges, ({ from, to }) => `${from} --> ${to}`);
  const lines = [...grouped].map(
    ([edge, group]) => `  ${edge}: ${[...new Set(group.map(({ label }) => label))].join(' / ')}`,
  );
  const ends = terminalStatuses.map((status) => `  ${status} --> [*]`);
  const fail = '  note right of failed: from any open status, on a system error';
  return ['stateDiagram-v2', '  direction LR', '  [*] --> pending', ...lines, ...ends, fail].join('\n');
}

function edgesOf(move: Move): { from: string; to: string; label: string }[] {
  const label = `${move.by} ${move.operation}${move.outcome === undefined ? '' : ` ${move.outcome}`}`;
  const path = [...(move.via ?? []), move.to];
  return move.from.flatMap((from) =>
    path.map((to, index) => ({ from: path[index - 1] ?? from, to, label: index === 0 ? label : 'at once' })),
  );
}
