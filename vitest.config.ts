import { defineConfig } from 'vitest/config'

/** `unit` touches nothing outside; `db` runs on both database engines; `e2e` starts whole processes. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: ['**/*.db.test.ts'],
        },
      },
      {
        test: {
          name: 'db',
          include: ['src/**/*.db.test.ts', 'test/http/**/*.test.ts'],
          globalSetup: ['test/fixtures/database-servers.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/contract/**/*.test.ts', 'test/e2e/**/*.test.ts'],
          globalSetup: ['test/fixtures/database-servers.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
