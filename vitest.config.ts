import { defineConfig } from 'vitest/config'
import { LongestFirst } from './scripts/longest-first.ts'

/**
 * Node imports the files itself, as it does when the hub runs, and a worker keeps its modules for all files
 * that it is given: the house is loaded twice in a run, not once per file.
 */
const shared = {
  isolate: false,
  experimental: { viteModuleRunner: false },
}

/** A machine may be slow: what comes late is not wrong, unless a test says by when. */
const patient = (timeout: number) => ({
  testTimeout: timeout,
  hookTimeout: timeout,
  expect: { poll: { timeout: timeout / 2 } },
})

/** The hub of the page's tests is waited for as long as it may take to load. */
const untilLoaded = 310_000

/** Groups run one after the other. Processes wait more than they work, so three of their files run at once; three browsers only get in each other’s way. */
const inProcess = { maxWorkers: 2, sequence: { groupOrder: 0 }, ...shared }
const browsers = { maxWorkers: 2, sequence: { groupOrder: 1 }, ...shared }
const processes = { maxWorkers: 3, sequence: { groupOrder: 2 }, ...shared }
const alone = { maxWorkers: 1, sequence: { groupOrder: 3 }, ...shared }

const servers = 'test/fixtures/database-servers.ts'
const demoHub = 'test/fixtures/demo-hub.ts'

/** What reads the hub of the page's tests, without a browser. */
const onDemo = ['test/e2e/ogc-features.test.ts', 'test/e2e/sensorthings.test.ts']

/** What measures time and so needs the machine to itself, or writes into the hub that all tests of the page read. */
const runAlone = [
  'test/e2e/docs-examples.test.ts',
  'test/e2e/readme.test.ts',
  'test/http/closed-data-timing.test.ts',
  'test/http/quota-counters.test.ts',
  'test/e2e/explorer/edit.test.ts',
  'test/e2e/explorer/first-view.test.ts',
  'test/e2e/quota-nodes.test.ts',
  'test/e2e/start-again.test.ts',
]

/** Needs a Keycloak, which `npm run test:keycloak` gets and names here. */
const keycloak = {
  test: {
    name: 'keycloak',
    ...alone,
    include: ['test/keycloak/server.test.ts'],
    globalSetup: [servers, 'test/keycloak/server-setup.ts'],
    ...patient(120_000),
  },
}
const hasKeycloak = process.env['TEST_KEYCLOAK_HOME'] !== undefined

/**
 * `unit` touches nothing outside; `db` needs a database; `parity` replays on the embedded engine what `db` sent
 * to PostgreSQL; `process` starts whole hubs; `explorer` opens the page of one in a browser; `alone`
 * needs the machine, or that hub, to itself.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          ...inProcess,
          include: ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'web/**/*.test.ts'],
          exclude: ['**/*.db.test.ts'],
          ...patient(30_000),
        },
      },
      {
        test: {
          name: 'db',
          ...inProcess,
          include: [
            'src/**/*.db.test.ts',
            'test/http/**/*.test.ts',
            'test/contract/**/*.test.ts',
            'test/keycloak/embedded.test.ts',
          ],
          exclude: runAlone,
          globalSetup: [servers],
          setupFiles: ['test/parity/record-statements.ts'],
          ...patient(180_000),
        },
      },
      {
        test: {
          name: 'parity',
          ...processes,
          include: ['test/parity/*.test.ts'],
          globalSetup: [servers],
          ...patient(120_000),
        },
      },
      {
        test: {
          name: 'process',
          ...processes,
          include: ['test/e2e/*.test.ts'],
          exclude: [...runAlone, ...onDemo],
          globalSetup: [servers],
          ...patient(240_000),
        },
      },
      {
        test: {
          name: 'explorer',
          ...browsers,
          include: ['test/e2e/explorer/**/*.test.ts', ...onDemo],
          exclude: runAlone,
          globalSetup: [servers, demoHub],
          ...patient(120_000),
          hookTimeout: untilLoaded,
        },
      },
      {
        test: {
          name: 'alone',
          ...alone,
          include: runAlone,
          globalSetup: [servers, demoHub],
          ...patient(120_000),
          hookTimeout: untilLoaded,
        },
      },
      ...(hasKeycloak ? [keycloak] : []),
    ],
  },
})
