import fastify from 'fastify';
import pg from 'pg';

/** The peer of a read: Fastify and pg with the same query, and nothing else. Process of its own. */
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 20 });
const app = fastify();
const sql = `select id, buyer_user_id, seller_user_id, capability_id, demand_id, task_id, skill_id, transaction_type, origin,
  context_id, price_ut, booked_hours, status, status_reason, auto_accept, change_request_count, result_payload, terms, step,
  deadline_at, frozen_at, accepted_at, delivered_at, confirmed_at, settled_at, disputed_at, acceptance_deadline,
  delivery_deadline, auto_confirm_at, created_at, updated_at from transaction where id = $1`;
app.get<{ Params: { id: string } }>('/transactions/:id', async (request) => {
  const { rows } = await pool.query(sql, [request.params.id]);
  return { code: 0, message: 'success', data: rows[0] as unknown, timestamp: Date.now() };
});
process.send?.(await app.listen({ port: 0 }));
process.on('SIGTERM', () => {
  void app.close().then(() => pool.end());
});
