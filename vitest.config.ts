import { defineConfig } from 'vitest/config';

// No test file changes what a module keeps, so the modules are loaded once per process: it halves the time.
const shared = { pool: 'forks' as const, isolate: false, testTimeout: 60_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
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
          include: ['tests/acceptance/**/*.test.ts'],
          globalSetup: ['src/testing/prepare-service.ts'],
        },
      },
    ],
  },
});
