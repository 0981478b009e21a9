import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openSoak } from './soak/open-soak.ts'
import { addPiece, loadPieces, toTotal } from './soak/pieces.ts'
import { runSoak } from './soak/run-soak.ts'
import { holds, toReport } from './soak/report.ts'

// `npm run soak -- --minutes=30` loads two hubs on a PostgreSQL with a replica with 70 % of their
// capacity: queries of all services, pushes, slow readers. With `--faults`, one of the faults of
// soak/faults.ts happens every `--every` seconds, and the current token is revoked in between.
// Exits with 1 if a request failed other than with a proper 503 (with Retry-After), if something
// acknowledged was lost or if something grew without bound, and with 2 if the arguments are not
// valid. With `--keep=FOLDER` the database stays there, and the next run continues with it. SIGTERM
// ends it early.
//
// `npm run soak -- --kill --rounds=200` instead kills hubs and exports in the middle of pushes,
// mapped messages, replays, saves and exports (test/e2e/push-kill.test.ts), and commands that move
// months to cold storage and back (cold-kill). Exits with 1 if something was lost, duplicated or
// reported wrongly.

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    every: { type: 'string', default: '60' },
    faults: { type: 'boolean', default: false },
    keep: { type: 'string' },
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
const kills = ['test/e2e/push-kill.test.ts', 'test/e2e/cold-kill.test.ts']
if (values.kill) {
  const { status } = spawnSync('npm', ['test', '--', ...kills], {
    stdio: 'inherit',
    env: { ...process.env, TEST_KILL_ROUNDS: values.rounds },
  })
  process.exit(status === 0 ? 0 : 1)
}

const ended = once(process, 'SIGTERM')
const place = values.keep ?? (await mkdtemp(join(tmpdir(), 'hub-soak-')))
try {
  const pieces = await loadPieces(place)
  const soak = await openSoak(place, console.error)
  try {
    const course = { minutes, every: values.faults ? every : undefined, pieces, ended }
    const seen = await runSoak(soak, course)
    console.log(toReport(seen))
    console.log(toTotal(await addPiece(place, seen)))
    process.exitCode = holds(seen) ? 0 : 1
  } finally {
    await soak.close()
  }
} finally {
  if (values.keep === undefined) await rm(place, { recursive: true })
}
