import { describe, expect, it } from 'vitest'
import { ConfigError, loadConfig, oldForms, publicUrlOf, readLicence } from './index.ts'

function faults(environment: Record<string, string>): readonly string[] {
  try {
    loadConfig(environment)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
}

describe('loadConfig', () => {
  it('fills in defaults, also for variables that are empty', () => {
    const config = loadConfig({ HUB_PORT: '', PATH: '/bin' })
    expect(config).toMatchObject({ HUB_PORT: 8080, HUB_HOST: '127.0.0.1', HUB_PROFILE: 'strict' })
    expect(Object.isFrozen(config)).toBe(true)
  })

  it('converts numbers and lists', () => {
    const config = loadConfig({ HUB_PORT: '9000', HUB_TRUSTED_PROXIES: '10.0.0.1, 10.1.0.0/16,' })
    expect(config).toMatchObject({
      HUB_PORT: 9000,
      HUB_TRUSTED_PROXIES: ['10.0.0.1', '10.1.0.0/16'],
    })
  })

  it('accepts addresses, networks and their names as trusted proxies, and names others', () => {
    const good = '10.0.0.1,10.0.0.0/8,10.0.0.0/255.0.0.0,::1,fc00::/7,loopback'
    expect(faults({ HUB_TRUSTED_PROXIES: good })).toEqual([])
    for (const wrong of [
      'nonsense',
      '10.0.0.0/99',
      '10.0.0.0/0',
      '10.0.0.0/1.2.3.4',
      '10.0.0/8',
      'fc00::/129',
      '::/x',
    ]) {
      expect(faults({ HUB_TRUSTED_PROXIES: `10.0.0.1,${wrong}` })).toEqual([
        expect.stringContaining(`HUB_TRUSTED_PROXIES: "${wrong}" is not an IP address`),
      ])
    }
  })

  it('accepts one place for exports, and refuses credentials in its URL', () => {
    const store = { HUB_EXPORT_S3: 'https://s3.example/bucket', HUB_EXPORT_S3_KEY_ID: 'key' }
    expect(faults(store)).toEqual([expect.stringContaining('HUB_EXPORT_S3 needs')])
    const whole = { ...store, HUB_EXPORT_S3_SECRET: 'hidden' }
    expect(faults(whole)).toEqual([])
    expect(faults({ ...whole, HUB_EXPORT_DIR: '/exports' })).toEqual([
      expect.stringContaining('two places'),
    ])
    for (const HUB_EXPORT_S3 of ['https://s3.example', 'https://key:hidden@s3.example/bucket']) {
      expect(faults({ ...whole, HUB_EXPORT_S3 })).toHaveLength(1)
    }
  })

  it('accepts a folder or a bucket with its keys for cold months', () => {
    expect(faults({ HUB_COLD_PLACE: '/cold' })).toEqual([])
    const HUB_COLD_PLACE = 'https://s3.example/bucket'
    expect(faults({ HUB_COLD_PLACE })).toEqual([expect.stringContaining('HUB_EXPORT_S3_KEY_ID')])
    const keys = { HUB_EXPORT_S3_KEY_ID: 'key', HUB_EXPORT_S3_SECRET: 'hidden' }
    expect(faults({ ...keys, HUB_COLD_PLACE: 'https://s3.example' })).toHaveLength(1)
    const onServer = { HUB_MEASUREMENT_RETIREMENT: 'parquet', DATABASE_URL: 'postgres://db/hub' }
    expect(faults(onServer)).toEqual([expect.stringContaining('needs HUB_COLD_PLACE')])
  })

  it('reports all faults in one message, with the nearest known name', () => {
    const found = faults({
      HUB_PROT: '1',
      HUB_PORT: 'abc',
      HUB_PROFILE: 'lax',
      HUB_IDENTITY: 'external',
    })
    expect(found).toHaveLength(5)
    expect(found[0]).toBe('HUB_PROT is not a setting. Did you mean HUB_PORT?')
    expect(found.join('\n')).toContain('HUB_PROFILE: "lax"')
    expect(found.join('\n')).toContain('strict, compatible')
    expect(found.join('\n')).toContain('HUB_ISSUER')
    expect(found.join('\n')).toContain('HUB_AUDIENCE')
  })

  it.each([
    ['DATABASE_URL', 'postgres://hub:hunter/2@db/hub'],
    ['HUB_PUBLIC_URL', 'https://[hunter2'],
    ['HUB_ISSUER', 'https://hunter2:port/realms/hub'],
    ['HUB_REDIS_URL', 'redis://:hunter2/x@cache'],
  ])('refuses a URL that cannot be parsed, and does not show it: %s', (name, url) => {
    const [fault, ...more] = faults({ [name]: url })
    expect([fault, more]).toEqual([expect.stringContaining(`${name} cannot be parsed`), []])
    expect(fault).not.toContain('hunter')
  })

  it.each([
    { HUB_EMBED_ORIGINS: '*' },
    { HUB_EMBED_ORIGINS: 'https://a.example https://b.example' },
    { HUB_MAP_TILES: 'https://{s}.example/{z}/{x}/{y}.png' },
    { HUB_MAP_STYLE: 'style.json' },
  ])('accepts what contains no single URL: %j', (settings) => {
    expect(loadConfig(settings)).toMatchObject(settings)
  })

  it.each(['postgres:///hub?host=/run/postgresql', 'postgresql://hub:a%2Fb@[::1]:5432/hub'])(
    'accepts the database %s',
    (DATABASE_URL) => {
      expect(loadConfig({ DATABASE_URL })).toMatchObject({ DATABASE_URL })
    },
  )

  it.each([
    ['::', 'http://localhost:8080'],
    ['192.0.2.1', 'http://192.0.2.1:8080'],
    ['2001:db8::1', 'http://[2001:db8::1]:8080'],
    ['hub.example', 'http://hub.example:8080'],
  ])('makes the public URL of the host %s', (HUB_HOST, url) => {
    expect(publicUrlOf(loadConfig({ HUB_HOST }))).toBe(url)
  })

  it('never shows a secret', () => {
    expect(faults({ DATABASE_URL: 'mysql://user:hunter2@host/db' }).join('\n')).not.toContain(
      'hunter2',
    )
  })

  it.each(['on', 'off', '1', '9090', '65535', 'token:0123456789abcdef'])(
    'accepts %s for the metrics',
    (HUB_METRICS) => {
      expect(loadConfig({ HUB_METRICS })).toMatchObject({ HUB_METRICS })
    },
  )

  it.each(['yes', '0', '65536', '8080', 'token:short', 'token:a token with blanks'])(
    'refuses %s for the metrics, and does not show a token',
    (HUB_METRICS) => {
      const [fault, ...more] = faults({ HUB_METRICS })
      expect([fault, more]).toEqual([expect.stringMatching(/^HUB_METRICS: /), []])
      if (HUB_METRICS.startsWith('token:')) expect(fault).not.toContain(HUB_METRICS)
    },
  )

  it('accepts one licence for each origin, which may be a URL', () => {
    const [first] = loadConfig({ HUB_LICENCES: 'Open = https://l.example/?id=4' }).HUB_LICENCES
    expect(readLicence(first ?? '')).toEqual(['open', 'https://l.example/?id=4'])
    for (const HUB_LICENCES of ['CC0-1.0', ' =CC0-1.0', 'open= ', '*=CC0-1.0,a=b,A =c']) {
      expect(faults({ HUB_LICENCES })).toEqual([expect.stringContaining('HUB_LICENCES')])
    }
  })

  it.each(['1.5', 'abc', '70000', '-1', '0x50', '8080 '.repeat(2)])(
    'states the allowed ports, not %s',
    (text) => {
      expect(faults({ HUB_PORT: text })).toEqual([
        expect.stringContaining('must be a whole number from 0 to 65535. Port of the HTTP server'),
      ])
    },
  )

  it('states the allowed share of traces', () => {
    expect(loadConfig({ HUB_TRACE_SHARE: '0.5' })).toMatchObject({ HUB_TRACE_SHARE: 0.5 })
    expect(faults({ HUB_TRACE_SHARE: '1.5' })).toEqual([
      expect.stringContaining('HUB_TRACE_SHARE: 1.5 must be a number from 0 to 1.'),
    ])
  })

  it('refuses a public URL with a slash at its end', () => {
    expect(faults({ HUB_PUBLIC_URL: 'https://hub.example/' })).toHaveLength(1)
    expect(faults({ HUB_PUBLIC_URL: 'https://hub.example' })).toEqual([])
  })
})

describe('Times and sizes', () => {
  it('are written with their unit', () => {
    const config = loadConfig({
      HUB_STATEMENT_TIMEOUT: '1.001s',
      HUB_PUSH_PATIENCE: '2 min',
      HUB_PUSH_KEEP_DAYS: '48h',
      HUB_BODY_LIMIT: '1MiB',
      HUB_PUSH_UNREAD_LIMIT: '2GiB',
    })
    expect(config).toMatchObject({
      HUB_STATEMENT_TIMEOUT: 1001,
      HUB_PUSH_PATIENCE: 120,
      HUB_PUSH_KEEP_DAYS: 2,
      HUB_BODY_LIMIT: 1_048_576,
      HUB_PUSH_UNREAD_LIMIT: 2048,
    })
  })

  it.each(['soon', '10MiB', '10s0', '-1s', '1ms', '2h', '0'])('of patience exclude %s', (text) => {
    expect(faults({ HUB_PUSH_PATIENCE: text })).toEqual([
      expect.stringContaining('must be a time such as 30s (in d, h, min, s or ms), 1s to 1h.'),
    ])
  })

  it('are still accepted without a unit, with a warning', () => {
    const environment = { HUB_STATEMENT_TIMEOUT: '45000', HUB_PUSH_KEEP_DAYS: '0', HUB_PORT: '80' }
    expect(loadConfig(environment)).toMatchObject({ HUB_STATEMENT_TIMEOUT: 45_000 })
    expect(oldForms(environment)).toEqual([
      'HUB_STATEMENT_TIMEOUT=45000 is read as 45s. Write HUB_STATEMENT_TIMEOUT=45s: numbers without a unit are deprecated.',
    ])
    const decimals = { HUB_STATEMENT_TIMEOUT: '1500.0', HUB_PUSH_KEEP_DAYS: ' 0.0 ' }
    expect(loadConfig(decimals)).toMatchObject({ HUB_STATEMENT_TIMEOUT: 1500 })
    expect(oldForms(decimals)).toEqual([
      'HUB_STATEMENT_TIMEOUT=1500.0 is read as 1500ms. Write HUB_STATEMENT_TIMEOUT=1500ms: numbers without a unit are deprecated.',
    ])
  })
})
