import { expect, it } from 'vitest'
import { parseCommands } from './parse-commands.ts'

const now = new Date('2026-11-22T12:00:00Z')
const request = (line: string) => parseCommands(line, now)[0]?.request

it('reads a GET of the hub as a shell does', () => {
  expect(request(`curl -s 'http://localhost:8080/v1/Find?q=a b'`)).toEqual({
    ...{ path: '/v1/Find?q=a b', accept: undefined, needsToken: false },
  })
  expect(
    request(`curl "http://localhost:8080/v1/Filter?expression=like(Shortname,'see')"`)?.path,
  ).toBe(`/v1/Filter?expression=like(Shortname,'see')`)
  expect(request('curl http://localhost:8080/quota')?.path).toBe('/quota')
})

it('reads the headers that a page can send', () => {
  const line = `curl -H 'Accept: text/csv' http://localhost:8080/v1 -H "Authorization: Bearer $TOKEN"`
  expect(request(line)).toEqual({ path: '/v1', accept: 'text/csv', needsToken: true })
})

it('replaces a date command with today, as a shell does', () => {
  expect(request(`curl -s "http://localhost:8080/v2/x/$(date -u +%F)T00"`)?.path).toBe(
    '/v2/x/2026-11-22T00',
  )
})

it.each([
  `curl -X POST 'http://localhost:8080/v1/Event' -d '{}'`,
  'curl --data-binary @track.gpx http://localhost:8080/v1/GeoConverter/GpxToGeoJson',
  `curl http://localhost:8080/quota -H 'Referer: https://app.example'`,
  `curl -s 'http://localhost:8080/push/demo/hotels/<id>'`,
  `curl -o week.parquet 'http://localhost:8080/v2/flat'`,
  'TOKEN=$(./bin/hub token demo-provider)',
  'npm ci',
])('leaves a command that a page cannot run to the shell: %s', (line) => {
  expect(request(line)).toBeUndefined()
})

it('joins continued lines into one command', () => {
  const commands = parseCommands(`curl a \\\n  -d b\ncurl c`, now)
  expect(commands.map(({ text }) => text)).toEqual([`curl a \\\n  -d b`, 'curl c'])
})
