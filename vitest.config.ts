import { defineConfig } from 'vitest/config'

/** What measures small differences of time, and so needs the machine to itself. */
const timed = ['test/http/closed-data-timing.test.ts', 'test/http/quota-counters.test.ts']

/**
 * Node 24 crashes now and then in these two compilers, on busy machines (nodejs/node#62393, #64841).
 * Functions are interpreted until they are worth optimising.
 */
const execArgv = ['--no-sparkplug', '--no-maglev']

/**
 * Node imports the files itself, as it does when the hub runs, and a worker keeps its modules for all files
 * it is given: the house is loaded twice a run and not four hundred times.
 */
const shared = { execArgv, isolate: false, experimental: { viteModuleRunner: false } }

/**
 * Two files at once: while one waits for its database, another works. What starts several processes
 * fills a machine by itself and comes after, one by one.
 */
const twoAtOnce = { maxWorkers: 2, sequence: { groupOrder: 0 }, ...shared }
const oneByOne = { maxWorkers: 1, sequence: { groupOrder: 1 }, ...shared }

/** Needs a Keycloak, which `npm run test:keycloak` gets and names here. */
const keycloak = {
  test: {
    name: 'keycloak',
    ...oneByOne,
    include: ['test/keycloak/server.test.ts'],
    globalSetup: ['test/fixtures/database-servers.ts', 'test/keycloak/server-setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
}
const hasKeycloak = process.env['TEST_KEYCLOAK_HOME'] !== undefined

/** `unit` touches nothing outside; `db` needs a database; `e2e` starts whole processes,
    `explorer` opens the page of one in a browser. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          ...twoAtOnce,
          include: ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'web/**/*.test.ts'],
          exclude: ['**/*.db.test.ts'],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'db',
          ...twoAtOnce,
          include: ['src/**/*.db.test.ts', 'test/http/**/*.test.ts'],
          exclude: timed,
          globalSetup: ['test/fixtures/database-servers.ts'],
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'e2e',
          ...oneByOne,
          include: [
            'test/contract/**/*.test.ts',
            'test/e2e/**/*.test.ts',
            'test/keycloak/embedded.test.ts',
            ...timed,
          ],
          exclude: ['test/e2e/explorer/**'],
          globalSetup: ['test/fixtures/database-servers.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'explorer',
          ...oneByOne,
          include: ['test/e2e/explorer/**/*.test.ts'],
          globalSetup: [
            'test/fixtures/database-servers.ts',
            'test/e2e/explorer/fixture/explorer-hub.ts',
          ],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // A browser beside a hub may be slow; what comes late is not wrong.
          expect: { poll: { timeout: 15_000 } },
        },
      },
      ...(hasKeycloak ? [keycloak] : []),
    ],
  },
})
