import { defineConfig } from 'vitest/config';

// No test file changes what a module keeps, so the modules are loaded once per process: it halves the time.
const shared = { pool: 'forks' as const, isolate: false, testTimeout: 60_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    // Half of what a test takes is another process's work.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: ['src/**/*.test.ts', 'tests/contract/**/*.test.ts'],
          globalSetup: ['src/testing/prepare-database.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'acceptance',
          // They share one service and its limits.
          maxWorkers: 1,
          include: ['tests/acceptance/**/*.test.ts'],
          globalSetup: ['src/testing/prepare-service.ts'],
        },
      },
    ],
  },
});
