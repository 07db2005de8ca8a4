import { expect, it } from 'vitest';
import { bestOf, isProposalId, newProposalId, wordsOf } from '../../api/a2a/proposal.ts';
import { endsStream, statusesIn, taskStateOf, taskStates } from '../../domain/a2a/task-state.ts';
import { isTerminal, transactionStatuses } from '../../domain/transaction/transaction.ts';

it('every status is in the states that each generation has for it', () => {
  const table = transactionStatuses.map((status) => [status, taskStateOf(status, '0.1'), taskStateOf(status, '1.0')]);
  expect(table).toEqual([
    ['pending', 'input-required', 'input-required'],
    ['frozen', 'submitted', 'submitted'],
    ['accepted', 'working', 'working'],
    ['delivered', 'working', 'input-required'],
    ['confirmed', 'working', 'working'],
    ['disputed', 'working', 'working'],
    ['settled', 'completed', 'completed'],
    ['cancelled_by_buyer', 'canceled', 'canceled'],
    ['rejected_by_seller', 'canceled', 'rejected'],
    ['failed', 'failed', 'failed'],
  ]);
});

it('a filter by state finds each status once', () => {
  expect(taskStates.flatMap(statusesIn).toSorted()).toEqual([...transactionStatuses].toSorted());
});

it('a stream ends with the task, and where the buyer has to do something', () => {
  const ending = transactionStatuses.filter((status) => endsStream(status, '1.0'));
  expect(ending).toEqual(
    transactionStatuses.filter((status) => isTerminal(status) || /pending|delivered/.test(status)),
  );
  expect(endsStream('delivered', '0.1')).toBe(false);
});

it('an id of a proposal shows whose it is', () => {
  const id = newProposalId('a');
  expect([isProposalId(id, 'a'), isProposalId(id.toUpperCase(), 'a'), isProposalId(id, 'b')]).toEqual([
    true,
    true,
    false,
  ]);
  expect(isProposalId('nonsense', 'a')).toBe(false);
});

const row = (title: string, description: string) => ({ title, description, tags: [] }) as never;

it('more of the words come first', () => {
  const found = [row('Rain', 'forecast'), row('Weather', 'hourly forecast of rain'), row('Stocks', 'prices')];
  expect(wordsOf('An hourly forecast, of RAIN!')).toEqual(['hourly', 'forecast', 'rain']);
  expect(bestOf(wordsOf('hourly rain'), found).map(({ title }) => title)).toEqual(['Weather', 'Rain', 'Stocks']);
});
