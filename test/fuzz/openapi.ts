import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startHub, stopHub } from '../fixtures/hub-process.ts'

/** Licensed under MIT. Installed from PyPI into a temporary folder. */
const schemathesis = 'schemathesis==4.32.5'

const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
]

/**
 * Approximate number of operations in the document, over which the requests of a run are
 * distributed.
 */
const operations = 360

/**
 * Sends random requests to every operation in the OpenAPI document of a hub with the demo's region,
 * both without a token and as an admin. No response may be 5xx, and each must conform to the
 * document.
 * @throws Error with what schemathesis found
 */
export async function fuzzOpenApi(requests: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hub-fuzz-'))
  try {
    execFileSync('python3', ['-m', 'venv', join(folder, 'venv')])
    execFileSync(join(folder, 'venv/bin/pip'), ['install', '--quiet', schemathesis])
    const data = {
      HUB_DATA_DIR: join(folder, 'data'),
      HUB_DATABASE_CONNECTIONS: 1,
      HUB_STATEMENT_TIMEOUT: 30_000,
    }
    const hub = await startHub({ settings: data, args: ['demo'] })
    try {
      const examples = Math.ceil(requests / 2 / operations)
      const found = ['', 'demo-admin'].map((client) =>
        run({ folder, url: hub.url, client, examples }),
      )
      const faults = found.filter((output) => output !== '')
      if (faults.length > 0) throw new Error(faults.join('\n'))
    } finally {
      await stopHub(hub)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Run = {
  readonly folder: string
  readonly url: string
  /** The client whose token is sent; empty for none. */
  readonly client: string
  /** Number of requests per operation. */
  readonly examples: number
}

/** @returns the findings; empty if there are none */
function run({ folder, url, client, examples }: Run): string {
  const options = [
    '--phases',
    'fuzzing',
    '--max-examples',
    String(examples),
    '--checks',
    checks.join(','),
  ]
  const quiet = [
    '--suppress-health-check',
    'all',
    '--warnings',
    'off',
    '--continue-on-failure',
    '--no-color',
  ]
  const { status, stdout } = spawnSync(
    join(folder, 'venv/bin/schemathesis'),
    ['run', `${url}/openapi.json`, ...options, ...quiet],
    {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 100_000_000,
      env: {
        ...process.env,
        HUB_FUZZ_CLIENT: client,
        HUB_FUZZ_URL: url,
        SCHEMATHESIS_HOOKS: fileURLToPath(new URL('./token_of_client.py', import.meta.url)),
      },
    },
  )
  const [, summary = stdout] = stdout.split(/=+ SUMMARY =+/)
  console.log(
    `      ${client === '' ? 'a stranger' : client}: ${/\d+ generated.*/.exec(summary)?.[0] ?? 'nothing was sent'}`,
  )
  return status === 0 ? '' : stdout.slice(-200_000)
}
