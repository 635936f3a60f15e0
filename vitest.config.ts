import { defineConfig } from 'vitest/config';

const shared = { pool: 'forks' as const, testTimeout: 60_000, hookTimeout: 60_000 };

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
