import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { describeOnEngines } from '../fixtures/databases.ts'
import { openMcpHub } from '../fixtures/mcp-hub.ts'
import type { McpHub } from '../fixtures/mcp-hub.ts'

/** Scenarios of the suite that a hub cannot pass, by reason. */
const leftOut: Readonly<Record<string, readonly string[]>> = {
  'They call tools of a server that is made for the suite': [
    'tools-call-simple-text',
    'tools-call-image',
    'tools-call-audio',
    'tools-call-embedded-resource',
    'tools-call-mixed-content',
    'tools-call-with-logging',
    'tools-call-error',
    'tools-call-with-progress',
    'tools-call-sampling',
    'tools-call-elicitation',
    'elicitation-sep1034-defaults',
    'elicitation-sep1330-enums',
    'json-schema-2020-12',
  ],
  'They read resources of a server that is made for the suite': [
    'resources-read-text',
    'resources-read-binary',
    'resources-templates-read',
  ],
  'Without a session nobody can be notified, and the hub offers no subscriptions and no log': [
    'resources-subscribe',
    'resources-unsubscribe',
    'logging-set-level',
    'server-sse-polling',
    'server-sse-multiple-streams',
  ],
  'The hub has no prompts, so there is nothing to complete either': [
    'prompts-list',
    'prompts-get-simple',
    'prompts-get-with-args',
    'prompts-get-embedded-resource',
    'prompts-get-with-image',
    'completion-complete',
  ],
}

const require = createRequire(import.meta.url)
const suite = require.resolve('@modelcontextprotocol/conformance/dist/index.js')

describeOnEngines('The conformance suite of the Model Context Protocol', (engine) => {
  let mcp: McpHub
  let address = ''
  let folder = ''
  beforeAll(async () => {
    mcp = await openMcpHub(engine, 0)
    address = await mcp.hub.app.listen({ port: 0, host: '127.0.0.1' })
    folder = await mkdtemp(join(tmpdir(), 'hub-mcp-'))
  })
  afterAll(async () => {
    await mcp.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('passes, except for the failures listed here', async () => {
    const expected = join(folder, 'expected.yaml')
    await writeFile(expected, stringify({ server: Object.values(leftOut).flat() }))
    const output = await run([
      ...['server', '--url', `${address}/mcp`, '--suite', 'all'],
      ...['--expected-failures', expected],
    ])
    expect(output).toContain('✓ server-initialize')
    expect(output).toContain('✓ dns-rebinding-protection: 2 passed')
    expect(output).not.toMatch(/unexpected failures|stale/i)
  })

  /**
   * Runs the suite, which fails on any unexpected failure and on any expected failure that passes.
   */
  const run = (parameters: readonly string[]) =>
    new Promise<string>((resolve, reject) => {
      execFile(process.execPath, [suite, ...parameters], { cwd: folder }, (error, stdout, stderr) => {
        if (error === null) resolve(stdout)
        else reject(new Error(`${stdout}${stderr}`, { cause: error }))
      })
    })
})
