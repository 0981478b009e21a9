import { execFileSync, spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { quoteForShell, toCurl, toJavascript, quoteForPython, toPython } from './snippets.ts'

const isWithoutPython = spawnSync('python3', ['--version']).status !== 0
const withoutPython = isWithoutPython ? ' [left out: python3 is not installed]' : ''

const hub = 'https://hub.example'

/** Text with characters that shells, Python and JavaScript interpret. */
const nasty = `a'b"c\\d $HOME \`id\` \${x} {y} %s ü 😀 \n!`

it('quotes a text that the shell reads back unchanged', () => {
  expect(execFileSync('sh', ['-c', `printf %s ${quoteForShell(nasty)}`]).toString()).toBe(nasty)
})

it.skipIf(isWithoutPython)(`quotes a text that Python reads back unchanged${withoutPython}`, () => {
  const program = `import sys; sys.stdout.buffer.write(${quoteForPython(nasty)}.encode())`
  expect(execFileSync('python3', ['-c', program]).toString()).toBe(nasty)
})

it('quotes a text that JavaScript reads back unchanged', () => {
  const request = { path: '/v1/Event', accept: nasty }
  const [, literal = ''] = /"?'?Accept'?"?: (.*),\n/.exec(toJavascript(request, hub)) ?? []
  const program = `process.stdout.write(${literal})`
  expect(execFileSync(process.execPath, ['-e', program]).toString()).toBe(nasty)
})

it('writes a plain request in its usual form', () => {
  const request = { path: '/v1/Event', query: { pagesize: 3, q: "l'alba" } }
  expect(toCurl(request, hub)).toBe(
    String.raw`curl 'https://hub.example/v1/Event?pagesize=3&q=l%27alba'`,
  )
  expect(toPython(request, hub)).toContain('urlopen(request)')
  expect(toJavascript(request, hub)).toMatch(/^const response = await fetch\('https:/)
})

it('never writes a token, but a placeholder for it', () => {
  const request = { path: '/v1/Event', token: 'needed' } as const
  expect(toCurl(request, hub)).toContain('-H "Authorization: Bearer $TOKEN"')
  expect(toJavascript(request, hub)).toContain(`Authorization: \`Bearer \${token}\``)
  expect(toPython(request, hub)).toContain('"Authorization": f"Bearer {token}"')
})

it('sends bodies as JSON', () => {
  const request = { path: '/v1/EventSearch', method: 'POST', body: { q: "l'alba" } } as const
  expect(toCurl(request, hub)).toContain(String.raw`-d '{"q":"l'\''alba"}'`)
  expect(toPython(request, hub)).toContain(String.raw`data="{\"q\":\"l'alba\"}".encode()`)
  expect(toJavascript(request, hub)).toContain(`body: JSON.stringify({"q":"l'alba"})`)
})

it('writes a method other than the default', () => {
  const request = { path: '/v1/Event/1', method: 'DELETE', token: 'needed' } as const
  expect(toCurl(request, hub)).toContain('curl -X DELETE ')
  expect(toJavascript(request, hub)).toContain("method: 'DELETE'")
  expect(toPython(request, hub)).toContain('method="DELETE"')
  expect(toCurl({ ...request, method: 'PUT', body: {} }, hub)).toContain('-X PUT ')
})

it.each([
  [{}, 'json'],
  [{ accept: 'application/geo+json' }, 'json'],
  [{ accept: 'application/ld+json' }, 'json'],
  [{ query: { format: 'geojson' } }, 'json'],
  [{ accept: 'application/x-ndjson' }, 'text'],
  [{ accept: 'application/xml' }, 'text'],
  [{ accept: 'image/svg+xml' }, 'text'],
  [{ accept: 'text/csv; charset=utf-8' }, 'text'],
  [{ query: { format: 'csv' } }, 'text'],
  [{ query: { format: 'ndjson' }, accept: 'application/json' }, 'text'],
  [{ query: { format: 'parquet' } }, 'bytes'],
  [{ accept: 'application/vnd.apache.arrow.stream' }, 'bytes'],
] as const)('reads the response to %o as %s', (asked, kind) => {
  const request = { path: '/v2/flat/EChargingStation', ...asked }
  const inJavascript = {
    json: 'response.json()',
    text: 'const text = await response.text()',
    bytes: 'response.arrayBuffer()',
  }
  const inPython = {
    json: 'json.load(response)',
    text: 'response.read().decode()',
    bytes: 'content = response.read()',
  }
  expect(toJavascript(request, hub)).toContain(inJavascript[kind])
  expect(toPython(request, hub)).toContain(inPython[kind])
})
