import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { startCluster } from '../test/fixtures/postgresql-cluster.ts'
import { openSoak } from './soak/open-soak.ts'
import { runSoak } from './soak/run-soak.ts'
import { holds, toReport } from './soak/report.ts'

// `npm run soak -- --minutes=30 --every=60` loads a hub on a PostgreSQL of its own with 70 % of what it
// can do: reads of all services, pushes, slow readers; every so many seconds the token in use becomes
// worthless and the database goes away for two seconds. Ends with 1 when a request failed in another
// way than an honest 503 (with Retry-After), an acknowledged push was lost or memory grew without
// bound, and with 2 when the arguments were not understood.
//
// `npm run soak -- --kill --rounds=200` kills hubs and exports in the middle of pushes, mapped messages, replays, saves
// and exports instead (test/e2e/push-kill.test.ts), and ends with 1 when something was lost, doubled or reported wrongly.

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    every: { type: 'string', default: '45' },
    kill: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '100' },
  },
})
const minutes = Number(values.minutes)
const every = Number(values.every)
if (!(minutes > 0) || !(every >= 10)) {
  console.error('--minutes takes a number above 0, --every a number of seconds, 10 or more.')
  process.exit(2)
}
if (!(Number(values.rounds) >= 1)) {
  console.error('--rounds takes a number of kills, 1 or more.')
  process.exit(2)
}
if (values.kill) {
  const { status } = spawnSync('npm', ['test', '--', 'test/e2e/push-kill.test.ts'], {
    stdio: 'inherit',
    env: { ...process.env, TEST_KILL_ROUNDS: values.rounds },
  })
  process.exit(status === 0 ? 0 : 1)
}

const cluster = await startCluster({ more: ['fsync=on', 'synchronous_commit=on'] })
if (cluster === undefined) {
  console.error('The soak needs PostgreSQL 15 or later with PostGIS. Run npm run setup.')
  process.exit(2)
}
try {
  const soak = await openSoak(cluster, console.error)
  try {
    const seen = await runSoak(soak, { minutes, every })
    console.log(toReport(seen))
    process.exitCode = holds(seen) ? 0 : 1
  } finally {
    await soak.close()
  }
} finally {
  await cluster.stop()
}
