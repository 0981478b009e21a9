import { describe, expect, it } from 'vitest'
import { AppError } from '../errors/index.ts'
import { hideSecrets, logOutput, makeLog } from './make-log.ts'
import { withoutSecrets } from './observe-answers.ts'

describe('withoutSecrets', () => {
  it.each([
    ['/v2/flat?access_token=abc&limit=1', '/v2/flat?access_token=***&limit=1'],
    ['/x?limit=1&TOKEN=abc', '/x?limit=1&TOKEN=***'],
    ['/x?client_secret=a%26b&password=c', '/x?client_secret=***&password=***'],
    ['/x?%61ccess_token=abc', '/x?%61ccess_token=***'],
    [
      '/x?refresh_token=a&id_token_hint=b&code=c',
      '/x?refresh_token=***&id_token_hint=***&code=***',
    ],
    ['/x?%E0%A4%A=1&token=abc', '/x?%E0%A4%A=1&token=***'],
    ['/x?tokens=1', '/x?tokens=1'],
    ['/x?where=scode.eq."a"&select=tname', '/x?where=scode.eq."a"&select=tname'],
    ['/token', '/token'],
  ])('logs %s as %s', (url, logged) => {
    expect(withoutSecrets(url)).toBe(logged)
  })
})

describe('hideSecrets', () => {
  it.each([
    [
      'connect postgres://hub:p%40ss@db:5432/hub failed',
      'connect postgres://hub:***@db:5432/hub failed',
    ],
    ['postgres://hub:a@b@db/hub', 'postgres://hub:***@db/hub'],
    ['rediss://:pass@cache', 'rediss://:***@cache'],
    ['"Bearer abcdefghijkl" and basic YWRtaW46c2VjcmV0', '"Bearer ***" and basic ***'],
    ['sent eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', 'sent ***'],
    ['http://hub.test:8080/v1/a@b is ready', 'http://hub.test:8080/v1/a@b is ready'],
    [
      'http://localhost:8080 and mailto:me@example.org',
      'http://localhost:8080 and mailto:me@example.org',
    ],
  ])('writes %s as %s', (text, written) => {
    expect(hideSecrets(text)).toBe(written)
  })
})

/** Returns the log line of an error, as text and parsed. */
function logged(err: unknown) {
  let text = ''
  makeLog('trace', { write: (line) => (text += line) }).error({ err }, 'It failed.')
  return { text, line: JSON.parse(text) }
}

describe('The log', () => {
  it('states what failed and where, with the causes', () => {
    const cause = Object.assign(new Error('duplicate key'), {
      ...{ code: '23505', constraint: 'identity_key_pkey', table: 'identity_key' },
      statement: 'insert into identity_key values ($1)',
    })
    const { line } = logged(new AppError('HUB-SRV-002', 'No answer.', { cause }))
    expect(line).toMatchObject({
      msg: 'It failed.',
      err: {
        type: 'AppError',
        code: 'HUB-SRV-002',
        message: 'No answer.',
        stack: expect.any(String),
      },
    })
    expect(line.err.cause).toMatchObject({
      ...{ code: '23505', constraint: 'identity_key_pkey', table: 'identity_key' },
      statement: 'insert into identity_key values ($1)',
    })
  })

  it('leaves out all other properties of errors', () => {
    const inner = Object.assign(new Error('no'), {
      detail: 'Failing row contains (1, canary).',
      where: "unnamed portal parameter $1 = 'canary'",
      config: { headers: { authorization: 'canary' } },
      client: { password: 'canary' },
      headers: ['canary'],
    })
    const outer = new AggregateError([inner], 'both', { cause: inner })
    expect(logged(outer).line.err).toMatchObject({
      errors: [{ message: 'no' }],
      cause: { message: 'no' },
    })
    expect(logged(outer).text).not.toContain('canary')
  })

  it('hides passwords and tokens in messages and stacks', () => {
    const error = new Error('postgres://hub:canary-1@db/hub refused Bearer canary-222')
    expect(logged(error).text).not.toContain('canary')
    expect(logged(error).line.err.message).toBe('postgres://hub:***@db/hub refused Bearer ***')
  })

  it('handles errors that are their own cause, and values that are not errors', () => {
    const error = new Error('round')
    error.cause = error
    expect(logged(error).line.err.message).toBe('round')
    expect(logged('a word').line.err).toBe('a word')
    expect(logged({ password: 'canary' }).text).not.toContain('canary')
  })
})

it('The log is buffered for information, and written at once for warnings', async () => {
  let written = ''
  const output = logOutput({ write: (lines) => (written += lines) })
  const log = makeLog('info', output)
  log.info('One.')
  log.info('Two.')
  expect(written).toBe('')
  await expect.poll(() => written).toMatch(/One.*\n.*Two/)
  log.info('Three.')
  log.warn('Four.')
  expect(written).toMatch(/Three.*\n.*Four/)
})
