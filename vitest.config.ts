import { defineConfig } from 'vitest/config';

/** Tests that need no running service start at once; all others get PostgreSQL and Temporal first. */
const standalone = [
  'test/domain/**/*.test.ts',
  'test/stack/**/*.test.ts',
  'test/deploy/**/*.test.ts',
  'test/callback/**/*.test.ts',
  'test/seller/**/*.test.ts',
  'test/stream/**/*.test.ts',
  'test/tidy.test.ts',
];

export default defineConfig({
  test: {
    // Native modules, and a process of its own for each file: what a file leaves behind ends with it.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 90_000,
    teardownTimeout: 30_000,
    projects: [
      { extends: true, test: { name: 'standalone', include: standalone } },
      {
        extends: true,
        test: {
          name: 'service',
          include: ['test/**/*.test.ts'],
          exclude: standalone,
          globalSetup: ['test/browser/global-setup.ts', 'test/global-setup.ts'],
        },
      },
    ],
  },
});
