import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { demoHub } from '../fixtures/demo-hub.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Returns the shell commands of a chapter in order. A command continues on the next line after a
 * backslash.
 */
function commandsOf(chapter: string): readonly string[] {
  const readme = readFileSync(`${root}README.md`, 'utf8')
  const text = readme.split(/^## /m).find((part) => part.startsWith(chapter)) ?? ''
  const blocks = [...text.matchAll(/```sh\n([^]*?)```/g)].map(([, block]) => block ?? '')
  return blocks.flatMap((block) => block.replaceAll('\\\n', ' ').trim().split('\n'))
}

const commands = commandsOf('The first hour')

describe('the first hour of the README', () => {
  const hub = inject('demoHub')
  beforeAll(demoHub)

  /** Runs a command as written, but against this hub. curl fails if the status is an error. */
  const run = (command: string, variables: Readonly<Record<string, string>>) =>
    new Promise<string>((resolve, reject) => {
      const here = command
        .replaceAll('http://localhost:8080', hub)
        .replaceAll('./bin/hub', `"${process.execPath}" bin/hub.js`)
        .replaceAll('<id>', variables['ID'] ?? '')
        .replaceAll('curl -s', 'curl -sf')
      const env = { ...process.env, ...variables, HUB_PORT: new URL(hub).port }
      const script = command.startsWith('TOKEN=') ? `${here}; echo "$TOKEN"` : here
      execFile('sh', ['-c', script], { cwd: root, env }, (error, out) => {
        if (error === null) resolve(out.trim())
        else reject(new Error(`${command}\n${error.message}`))
      })
    })

  it('has commands', () => {
    expect(commands.length).toBeGreaterThanOrEqual(8)
  })

  it('works command by command', async () => {
    const variables: Record<string, string> = {}
    for (const command of commands) {
      const output = await run(command, variables)
      expect(output, command).not.toBe('')
      expect(output, command).not.toMatch(/"(Items|data)":(\[\]|\{\})/)
      if (command.startsWith('TOKEN=')) variables['TOKEN'] = output
      const id = /"message":"Data accepted","id":"([^"]+)"/.exec(output)?.[1]
      if (id === undefined) continue
      variables['ID'] = id
      const receipt = `${hub}/push/demo/hotels/${id}`
      const headers = { authorization: `Bearer ${variables['TOKEN'] ?? ''}` }
      await expect
        .poll(async () => (await fetch(receipt, { headers })).text())
        .toContain('"state":"visible"')
    }
    expect(Object.keys(variables)).toEqual(['TOKEN', 'ID'])
  })
})
