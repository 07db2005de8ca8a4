import { stripVTControlCharacters, styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];
const paint = (style: Style, text: string) => styleText(style, text, { stream: process.stdout });

let scene = 0;
let step = 0;

/** Opens a scene; the steps in it count from 1. */
export function openScene(title: string): void {
  scene += 1;
  step = 0;
  console.log(`\n${paint('bold', `Scene ${scene}: ${title}`)}\n${'─'.repeat(78)}`);
}

/** One thing that somebody does. */
export function tellStep(text: string): void {
  step += 1;
  console.log(`\n${paint('bold', `${scene}.${step}`)}  ${text}`);
}

/** The call that was made and how it was answered. */
export function tellCall(call: string, answer: string): void {
  console.log(`     ${paint('cyan', call)} ${paint('dim', '→')} ${answer}`);
}

/** The telling part of an answer. */
export function tellFacts(facts: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(facts)) {
    if (value === null || value === undefined) continue;
    console.log(`     ${paint('dim', `${name}:`)} ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  }
}

/** What a reader should know beside the calls. */
export function tellNote(text: string): void {
  for (const line of text.split('\n')) console.log(line === '' ? '' : `     ${paint('yellow', line)}`);
}

/** Rows under headings, in columns. */
export function tellTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const lines = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => widthOf(line[column] ?? ''))));
  for (const [index, line] of lines.entries()) {
    const text = line.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell))).join('  ');
    console.log(`     ${index === 0 ? paint('dim', text) : text}`.trimEnd());
  }
}

function widthOf(cell: string): number {
  return stripVTControlCharacters(cell).length;
}
