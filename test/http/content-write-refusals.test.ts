import { expect, it } from 'vitest'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { path, useEditingHub } from '../fixtures/editing-hub.ts'

describeWithDatabase('A write', (database) => {
  const { ask, read, write } = useEditingHub(database)

  it.each([
    ['no body', undefined, {}, 'HUB-BDY-001', undefined],
    ['null', null, {}, 'HUB-BDY-001', ''],
    ['a text', 'x', {}, 'HUB-BDY-001', ''],
    ['an empty batch', [], {}, 'HUB-BDY-001', undefined],
    ['an Id of a wrong type', { Id: {} }, {}, 'HUB-BDY-001', '/Id'],
    [
      'a wrong type inside',
      { LicenseInfo: { ClosedData: 'perhaps' } },
      {},
      'HUB-BDY-001',
      '/LicenseInfo/ClosedData',
    ],
    ['the NUL character', { Shortname: 'a\u0000' }, {}, 'HUB-BDY-001', '/Shortname'],
    [
      'a patch',
      [{ op: 'add', path: '/a', value: 1 }],
      { 'content-type': 'application/json-patch+json' },
      'HUB-BDY-001',
      undefined,
    ],
  ])('is refused with %s for a new record', async (_, payload, headers, errorCode, pointer) => {
    const response = await ask({ method: 'POST', url: path, body: payload, headers })
    expect([response.statusCode, response.json()]).toMatchObject([400, { errorCode }])
    if (pointer !== undefined) expect(response.json()).toMatchObject({ errors: [{ pointer }] })
  })

  it('is refused if the media type, syntax, size or Id of the body is wrong', async () => {
    const text = await ask({
      method: 'POST',
      url: path,
      body: {},
      headers: { 'content-type': 'text/csv' },
    })
    expect([text.statusCode, text.json()]).toMatchObject([415, { errorCode: 'HUB-BDY-003' }])
    for (const type of [
      'text/json',
      'application/vnd.hub+json',
      'application/json; charset=utf-8',
    ]) {
      const response = await ask({
        method: 'POST',
        url: path,
        body: { Shortname: type },
        headers: { 'content-type': type },
      })
      expect([type, response.statusCode]).toEqual([type, 200])
    }
    const broken = await ask({ method: 'POST', url: path, text: '{"Id": ' })
    expect([broken.statusCode, broken.json()]).toMatchObject([400, { errorCode: 'HUB-BDY-001' }])
    const large = await ask({
      method: 'POST',
      url: path,
      body: { Shortname: 'x'.repeat(11_000_000) },
    })
    expect([large.statusCode, large.json()]).toMatchObject([
      413,
      { errorCode: 'HUB-BDY-002', detail: 'The body is larger than 10485760 bytes.' },
    ])
    const other = await ask({ method: 'PUT', url: `${path}/a`, body: { Id: 'b' } })
    expect([other.statusCode, other.json()]).toMatchObject([
      400,
      { errors: [{ pointer: '/Id', expected: ['a'] }] },
    ])
  })

  it('is refused without a token or the required role', async () => {
    const attempts = [
      ['POST', path, {}],
      ['PUT', path, [{ Id: 'a' }]],
      ['DELETE', path, ['a']],
      ['PUT', `${path}/a`, {}],
      ['DELETE', `${path}/a`, undefined],
    ] as const
    for (const [method, url, payload] of attempts) {
      const anonymous = await ask({ method, url, body: payload, headers: { authorization: '' } })
      expect([method, anonymous.statusCode, anonymous.json()]).toMatchObject([
        method,
        401,
        { errorCode: 'HUB-ACC-001' },
      ])
      const reader = await ask({
        method,
        url,
        body: payload,
        headers: { authorization: 'Bearer closed' },
      })
      expect([method, reader.statusCode, reader.json()]).toMatchObject([
        method,
        403,
        { errorCode: 'HUB-ACC-003' },
      ])
    }
    expect((await ask({ method: 'POST', url: '/v1/Event', body: {} })).statusCode).toBe(403)
  })

  it.each([
    ['DELETE', ['a\u0000b'], '/0'],
    ['PUT', [{ Id: 'a\u0000b' }], '/0/Id'],
    ['POST', { Id: 'a\u0000b' }, '/Id'],
    ['POST', { Id: '\u200b \u00ad' }, '/Id'],
    ['POST', { Id: '.' }, '/Id'],
    ['POST', { Id: '..' }, '/Id'],
  ] as const)('by %s is refused for an invalid identifier', async (method, body, pointer) => {
    const response = await ask({ method, url: path, body })
    expect([response.statusCode, response.json()]).toMatchObject([
      400,
      { errorCode: 'HUB-BDY-001', errors: [{ pointer }] },
    ])
  })

  it('does not reveal closed records to an editor', async () => {
    const admin = { authorization: 'Bearer admin' }
    await write({
      method: 'POST',
      url: path,
      body: { Id: 'secret', LicenseInfo: { ClosedData: true } },
      headers: admin,
    })
    expect((await ask({ method: 'PUT', url: `${path}/secret`, body: {} })).statusCode).toBe(404)
    expect((await ask({ method: 'DELETE', url: `${path}/secret` })).statusCode).toBe(404)
    const again = await ask({ method: 'POST', url: path, body: { Id: 'secret' } })
    expect([again.statusCode, again.json()]).toMatchObject([400, { errorCode: 'HUB-BDY-004' }])
    expect(again.body).not.toMatch(/already|PUT/)
    expect(
      (
        await ask({
          method: 'PUT',
          url: `${path}/secret`,
          body: {},
          headers: { 'if-match': '"x"' },
        })
      ).statusCode,
    ).toBe(404)
    expect(await read('secret')).toMatchObject({ Id: 'SECRET' })
  })

  it('is not available for entities that are derived from other data', async () => {
    const response = await ask({
      method: 'POST',
      url: '/v1/Announcement',
      body: {},
      headers: { authorization: 'Bearer admin' },
    })
    expect([404, 405]).toContain(response.statusCode)
  })
})
