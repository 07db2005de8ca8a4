import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { claimPort, freePorts, parseStackPorts } from '../../ops/stack/ports.ts';

describe('stack ports', () => {
  it('have defaults and take settings, an empty one counting as absent', () => {
    expect(parseStackPorts({})).toEqual({ postgres: 54_329, temporal: 7233, temporalUi: 8233 });
    expect(parseStackPorts({ POSTGRES_PORT: '5555', TEMPORAL_PORT: '' })).toMatchObject({
      postgres: 5555,
      temporal: 7233,
    });
  });

  it('name every wrong setting', () => {
    const wrong = { POSTGRES_PORT: 'many', TEMPORAL_UI_PORT: '70000' };
    expect(() => parseStackPorts(wrong)).toThrow(/POSTGRES_PORT[^]*TEMPORAL_UI_PORT/);
  });

  it('are found free and different', async () => {
    const ports = await freePorts(8);
    expect(new Set(ports).size).toBe(8);
  });

  it('taken by another process are refused with the setting that changes them', async () => {
    const [port] = await freePorts(1);
    const holder = createServer().listen(port, '127.0.0.1');
    await once(holder, 'listening');
    try {
      await expect(claimPort(port ?? 0, 'Temporal', 'TEMPORAL_PORT')).rejects.toThrow(
        new RegExp(`Port ${port} for Temporal is taken.*TEMPORAL_PORT=`),
      );
    } finally {
      holder.close();
    }
  });
});
