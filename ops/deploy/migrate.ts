import { parseSettings } from '../../domain/settings.ts';
import { migrate } from '../../domain/store/migrate.ts';

/** Entry of the one-shot job that brings the database's schema up to date before API and worker start. */
const { databaseUrl } = parseSettings(process.env);
if (databaseUrl === null) throw new Error('DATABASE_URL must be set.');
const applied = await migrate(databaseUrl);
console.log(applied.length === 0 ? 'The schema is up to date.' : `Migrations applied: ${applied.join(', ')}`);
