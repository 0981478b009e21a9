import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { demoHub } from '../fixtures/demo-hub.ts'
import { chapters } from '../../web/build/guide/contents.ts'
import { toPage } from '../../web/build/guide/to-page.ts'
import { exampleHub, parseCommands } from '../../web/src/docs/examples/parse-commands.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Pages whose commands are run one by one by their own tests. */
const elsewhere = ['README.md', 'docs/push-mappings-guide.md']

/** Every request on every page of the guide, except those that the page marks as untried. */
const examples = chapters
  .filter(({ file }) => !elsewhere.includes(file))
  .flatMap(({ slug, file }): (readonly [page: string, command: string])[] => {
    const { blocks } = toPage({ slug, file, markdown: readFileSync(`${root}${file}`, 'utf8') })
    return blocks.flatMap((block) => {
      if (block.kind !== 'code' || block.language !== 'sh' || block.untried !== undefined) return []
      const commands = parseCommands(block.text, new Date()).map(({ text }) => text)
      return commands
        .filter((text) => text.startsWith('curl '))
        .map((text) => [file, text] as const)
    })
  })

describe('the examples of the guide', () => {
  const hub = inject('demoHub')
  let token = ''
  // Working directory, because some examples write a file.
  const folder = mkdtempSync(join(tmpdir(), 'hub-examples-'))

  beforeAll(async () => {
    token = await getToken(await demoHub())
  })
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true })
  })

  it('exist', () => {
    expect(examples.length).toBeGreaterThan(30)
  })

  it.each(examples)('%s: %s', async (_page, command) => {
    expect(await run(command, { TOKEN: token })).toBe(0)
  })

  /** Runs a command as written, but against this hub. curl fails if the status is an error. */
  const run = (command: string, variables: Readonly<Record<string, string>>) =>
    new Promise<number | string>((resolve) => {
      const here = command.replaceAll(exampleHub, hub).replace(/^curl /, 'curl -sSf ')
      const options = { cwd: folder, env: { ...process.env, ...variables }, maxBuffer: 100_000_000 }
      execFile('sh', ['-c', here], options, (error) => {
        resolve(error === null ? 0 : error.message)
      })
    })
})

async function getToken(hub: string): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'demo-admin',
    client_secret: 'demo-admin',
  })
  const address = `${hub}/auth/realms/hub/protocol/openid-connect/token`
  const answer: { readonly access_token?: string } = JSON.parse(
    await (await fetch(address, { method: 'POST', body })).text(),
  )
  return answer.access_token ?? ''
}
