/** Finds every problem of the whole ledger, against itself and the transactions: one statement, and so one instant. */
export function ledgerProblemsSql(maxProblems: number): string {
  return `${booked} ${problems} limit ${maxProblems}`;
}

// Per account and per transaction, what the postings say. Every check below compares with these.
const booked = `
with posted as (
  select p.transfer_id, p.account_id, p.amount, a.owner_id, a.kind as account, t.kind, t.transaction_id
  from posting p join account a on a.id = p.account_id join transfer t on t.id = p.transfer_id
), by_account as (
  select account_id, sum(amount) as balance, coalesce(sum(amount) filter (where kind = 'settle'), 0) as settled
  from posted group by account_id
), by_transfer as (
  select t.id, t.kind, count(p.account_id) as postings, coalesce(sum(p.amount), 0) as total
  from transfer t left join posted p on p.transfer_id = t.id group by t.id, t.kind
), by_transaction as (
  select x.id, x.status, x.price_ut, x.held_ut,
    coalesce(sum(p.amount) filter (where p.account = 'frozen'), 0) as frozen,
    coalesce(sum(p.amount) filter (where p.account = 'frozen' and p.kind = 'freeze'), 0) as taken,
    coalesce(sum(p.amount) filter (where p.account = 'available' and p.kind = 'unfreeze'), 0) as given_back,
    coalesce(sum(p.amount) filter (where p.kind = 'settle' and p.account <> 'frozen'), 0) as paid_out,
    coalesce(bool_or(case p.account
      when 'frozen' then p.owner_id <> x.buyer_user_id
      when 'fees' then p.kind <> 'settle'
      when 'available' then p.owner_id <> case p.kind when 'settle' then x.seller_user_id else x.buyer_user_id end
      else true end) filter (where p.account is not null), false) as strangers
  from transaction x left join posted p on p.transaction_id = x.id
  group by x.id, x.status, x.price_ut, x.held_ut
)`;

const problems = `
select 'all balances sum to ' || sum(balance) || ', not to zero' as problem from account having sum(balance) <> 0
union all
select 'account ' || a.id || ' has the balance ' || a.balance || ', its postings say ' || coalesce(b.balance, 0)
  from account a left join by_account b on b.account_id = a.id where a.balance <> coalesce(b.balance, 0)
union all
select 'account ' || a.id || ' has settled ' || a.settled || ', its postings say ' || coalesce(b.settled, 0)
  from account a left join by_account b on b.account_id = a.id where a.settled <> coalesce(b.settled, 0)
union all
select 'account ' || id || ' (' || kind || ') is negative: ' || balance
  from account where kind <> 'issuance' and balance < 0
union all
select 'transfer ' || id || ' sums to ' || total || ', not to zero' from by_transfer where total <> 0
union all
select 'transfer ' || id || ' has no postings' from by_transfer where postings = 0
union all
select 'transfer ' || t.id || ' belongs to the unknown transaction ' || t.transaction_id
  from transfer t left join transaction x on x.id = t.transaction_id where t.kind <> 'credit' and x.id is null
union all
select 'transaction ' || id || ' holds ' || held_ut || ', its postings say ' || frozen
  from by_transaction where held_ut <> frozen
union all
select 'transaction ' || id || ' moved money of somebody who is no party to it' from by_transaction where strangers
union all
select 'transaction ' || id || ' is settled at ' || price_ut || ', but took ' || taken || ', paid out ' || paid_out ||
    ' and gave back ' || given_back
  from by_transaction where status = 'settled' and (taken <> price_ut or paid_out + given_back <> price_ut)
union all
select 'transaction ' || id || ' is ' || status || ', but took ' || taken || ', paid out ' || paid_out ||
    ' and gave back ' || given_back
  from by_transaction where status in ('cancelled_by_buyer', 'rejected_by_seller', 'failed')
    and (paid_out <> 0 or given_back <> taken)`;
