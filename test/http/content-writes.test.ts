import { expect, it } from 'vitest'
import { sql } from '../../src/sql/index.ts'
import { describeWithDatabase } from '../fixtures/databases.ts'
import { path, useEditingHub } from '../fixtures/editing-hub.ts'
import { publicUrl } from '../fixtures/test-app.ts'

describeWithDatabase('A write of content', (database) => {
  const { ask, push, read, write } = useEditingHub(database)

  it('creates a record, returns its Location, and refuses to create it again', async () => {
    const response = await ask({
      method: 'POST',
      url: path,
      body: {
        Id: 'new-1',
        Shortname: 'New',
        Extra: { kept: [1] },
      },
    })
    expect(response.statusCode).toBe(200)
    expect(response.headers['location']).toBe(`${publicUrl}${path}/NEW-1`)
    expect(response.json()).toMatchObject({
      id: 'NEW-1',
      operation: 'Create',
      created: 1,
      updated: 0,
    })
    expect(await read('new-1')).toMatchObject({
      Shortname: 'New',
      Extra: { kept: [1] },
      _Meta: { Source: 'editor', UpdateInfo: { UpdatedBy: 'editor' } },
    })
    const again = await ask({ method: 'POST', url: path, body: { Id: 'NEW-1' } })
    expect([again.statusCode, again.json()]).toMatchObject([400, { errorCode: 'HUB-BDY-004' }])
  })

  it('creates a record again that a message from the future has deleted', async () => {
    await database().execute(sql`
      insert into content_tombstone (entity, id, received)
      values ('accommodation', 'AGAIN', now() + interval '1 hour')`)
    const created = await write({ method: 'POST', url: path, body: { Id: 'again' } })
    expect(created).toMatchObject({ operation: 'Create', created: 1 })
    expect(await read('again')).toMatchObject({ Id: 'AGAIN' })
  })

  it('assigns a missing identifier, spelt as the entity requires', async () => {
    const { id } = await write({ method: 'POST', url: path, body: { Shortname: 'Nameless' } })
    expect(id).toMatch(/^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/)
    expect(await read(id)).toMatchObject({ Id: id })
    const source = await ask({
      method: 'POST',
      url: '/v1/Source',
      body: { Key: 'My Key' },
      headers: { authorization: 'Bearer admin' },
    })
    expect(source.json()).toMatchObject({ id: 'mykey' })
  })

  it('replaces a record and returns the changes, or none if nothing changed', async () => {
    await write({ method: 'POST', url: path, body: { Id: 'r', Shortname: 'One', Gone: 1 } })
    const changed = await write({ method: 'PUT', url: `${path}/R`, body: { Shortname: 'Two' } })
    expect(changed).toMatchObject({ operation: 'Update', updated: 1, objectchanged: 1 })
    expect(changed.changes).toEqual([
      { op: 'remove', path: '/Gone' },
      { op: 'replace', path: '/Shortname', value: 'Two' },
    ])
    const before = await read('r')
    const same = await write({
      method: 'PUT',
      url: `${path}/r`,
      body: { Id: 'R', Shortname: 'Two' },
    })
    expect([same.objectchanged, same.changes]).toEqual([0, []])
    expect(await read('r')).toMatchObject({ LastChange: Object(before).LastChange })
  })

  it('keeps the source of a record until Source changes, and ignores _Meta', async () => {
    await push({ Id: 'ORIGIN', Shortname: 'One' })
    const url = `${path}/origin`
    const headers = { 'content-type': 'application/json-patch+json' }
    const body = [{ op: 'replace', path: '/_Meta/Source', value: 'Otherx' }]
    expect((await write({ method: 'PUT', url, body, headers })).changes).toEqual([])
    const record = { Shortname: 'One', _Meta: { Source: 'Otherx', Extra: 1 } }
    expect((await write({ method: 'PUT', url, body: record })).changes).toEqual([])
    await write({ method: 'PUT', url, body: { Shortname: 'One' } })
    const before = await read('origin')
    expect(before).toMatchObject({
      _Meta: { Source: 'pusher', UpdateInfo: { UpdatedBy: 'editor' } },
    })
    expect(before).not.toHaveProperty('_Meta.Extra')
    expect((await ask({ method: 'GET', url: '/v1/Source/otherx' })).statusCode).toBe(404)
    const moved = { Shortname: 'One', Source: 'LTS' }
    const { changes } = await write({ method: 'PUT', url, body: moved })
    expect(changes).toEqual([{ op: 'add', path: '/Source', value: 'LTS' }])
    const after = await read('origin')
    expect(after).toMatchObject({ Source: 'LTS', _Meta: { Source: 'lts' } })
    expect(Object(after).LastChange).not.toBe(Object(before).LastChange)
    const history = await ask({ method: 'GET', url: `${url}/History` })
    expect(history.json()).toMatchObject({ Items: [{ Source: 'lts' }, { Source: 'pusher' }] })
  })

  it('sets the source of a new record from Source, not from _Meta', async () => {
    const meta = { _Meta: { Source: 'Otherx' } }
    await write({ method: 'POST', url: path, body: { Id: 'own-1', ...meta } })
    await write({ method: 'POST', url: path, body: { Id: 'own-2', Source: 'LTS', ...meta } })
    expect(await read('own-1')).toMatchObject({ _Meta: { Source: 'editor' } })
    expect(await read('own-2')).toMatchObject({ _Meta: { Source: 'lts' } })
  })

  it('recomputes derived fields when a record is written back', async () => {
    const gps = (Latitude: number) => [{ Gpstype: 'position', Latitude, Longitude: 11 }]
    await write({ method: 'POST', url: path, body: { Id: 'g', GpsInfo: gps(46) } })
    const before = await read('g')
    expect(before).toMatchObject({ GpsPoints: { position: { Latitude: 46 } } })
    const body = { ...Object(before), GpsInfo: gps(47) }
    const { changes } = await write({ method: 'PUT', url: `${path}/g`, body })
    expect(changes).toEqual([{ op: 'replace', path: '/GpsInfo/0/Latitude', value: 47 }])
    expect(await read('g')).toMatchObject({ GpsPoints: { position: { Latitude: 47 } } })
  })

  it('keeps a new value of a derived field', async () => {
    const record = { Id: 'own', PublishedOn: ['portal'], TagIds: ['spring'] }
    await write({ method: 'POST', url: path, body: record })
    const edited = { HubActive: false, Tags: [{ Id: 'autumn' }] }
    const body = { ...Object(await read('own')), ...edited }
    await write({ method: 'PUT', url: `${path}/own`, body })
    expect(await read('own')).toMatchObject({ ...edited, SmgActive: false, TagIds: ['spring'] })
  })

  it('patches a record, and writes nothing if the patch does not apply', async () => {
    await write({ method: 'POST', url: path, body: { Id: 'p', Shortname: 'One', Beds: [1, 2] } })
    const headers = { 'content-type': 'application/json-patch+json' }
    const patch = [
      { op: 'test', path: '/Shortname', value: 'One' },
      { op: 'add', path: '/Beds/-', value: 3 },
      { op: 'remove', path: '/Beds/0' },
    ]
    await write({ method: 'PUT', url: `${path}/p`, body: patch, headers })
    expect(await read('p')).toMatchObject({ Beds: [2, 3] })
    const wrong = [
      { op: 'remove', path: '/Beds/0' },
      { op: 'remove', path: '/None' },
      { op: 'replace', path: '/Shortname/0', value: 'T' },
    ]
    const refused = await ask({ method: 'PUT', url: `${path}/p`, body: wrong, headers })
    expect([refused.statusCode, refused.json()]).toMatchObject([
      400,
      { errorCode: 'HUB-BDY-005', errors: [{ pointer: '/1' }, { pointer: '/2' }] },
    ])
    expect(await read('p')).toMatchObject({ Beds: [2, 3] })
    const renamed = [{ op: 'replace', path: '/Id', value: 'ZZZ' }]
    const kept = await ask({ method: 'PUT', url: `${path}/p`, body: renamed, headers })
    expect([kept.statusCode, kept.json()]).toMatchObject([400, { errors: [{ pointer: '/Id' }] }])
    const asRecord = await write({
      method: 'PUT',
      url: `${path}/p`,
      body: { Shortname: 'Whole' },
      headers,
    })
    expect(asRecord.objectchanged).toBe(1)
  })

  it('does not overwrite a state that the editor has not seen', async () => {
    await write({ method: 'POST', url: path, body: { Id: 'lock', Shortname: 'One' } })
    const seen = await ask({ method: 'GET', url: `${path}/lock?language=de&fields=Shortname` })
    const ifMatch = { 'if-match': String(seen.headers['etag']) }
    const first = await ask({
      method: 'PUT',
      url: `${path}/lock`,
      body: { Shortname: 'Two' },
      headers: ifMatch,
    })
    expect(first.statusCode).toBe(200)
    const second = await ask({
      method: 'PUT',
      url: `${path}/lock`,
      body: { Shortname: 'Three' },
      headers: ifMatch,
    })
    expect([second.statusCode, second.json()]).toMatchObject([412, { errorCode: 'HUB-RTE-008' }])
    const third = { 'if-match': `"other", ${String(first.headers['etag'])}` }
    expect((await ask({ method: 'DELETE', url: `${path}/lock`, headers: third })).statusCode).toBe(
      200,
    )
    expect(
      (await ask({ method: 'PUT', url: `${path}/lock`, body: {}, headers: { 'if-match': '*' } }))
        .statusCode,
    ).toBe(404)
  })

  it('respects the other conditions of RFC 9110 too', async () => {
    const times = { LastChange: '2020-11-20T10:00:00.500Z' }
    await write({ method: 'POST', url: path, body: { Id: 'cond', ...times } })
    const url = `${path}/cond`
    const seen = await ask({ method: 'GET', url, headers: { authorization: 'Bearer admin' } })
    const modified = String(seen.headers['last-modified'])
    expect(modified).toBe('Fri, 20 Nov 2020 10:00:00 GMT')
    const put = async (headers: Readonly<Record<string, string>>) => {
      const answer = await ask({ method: 'PUT', url, body: times, headers })
      return [answer.statusCode, answer.json<{ errorCode?: string }>().errorCode]
    }
    const refused = [412, 'HUB-RTE-008']
    const before = { 'if-unmodified-since': 'Fri, 20 Nov 2020 09:59:59 GMT' }
    expect(await put(before)).toEqual(refused)
    expect(await put({ 'if-none-match': '*' })).toEqual(refused)
    expect(await put({ 'if-none-match': String(seen.headers['etag']) })).toEqual(refused)
    const done = [200, undefined]
    expect(await put({ 'if-unmodified-since': modified })).toEqual(done)
    expect(await put({ 'if-unmodified-since': 'yesterday' })).toEqual(done)
    expect(await put({ ...before, 'if-match': '*' })).toEqual(done)
    expect(await put({ 'if-none-match': String(seen.headers['etag']) })).toEqual(done)
    const remove = await ask({ method: 'DELETE', url, headers: { 'if-none-match': '*' } })
    expect(remove.statusCode).toBe(412)
  })

  it('creates no record that must already exist, and refuses conditions on a batch', async () => {
    const headers = { 'if-match': '*' }
    const answer = await ask({ method: 'POST', url: path, body: { Id: 'cond-2' }, headers })
    expect([answer.statusCode, answer.json()]).toMatchObject([412, { errorCode: 'HUB-RTE-008' }])
    expect(await read('cond-2')).toBe(404)
    const batch = [{ Id: 'cond-2' }]
    const since = { 'if-unmodified-since': 'Fri, 20 Nov 2026 09:59:59 GMT' }
    for (const condition of [headers, since, { 'if-none-match': '*' }]) {
      const many = await ask({ method: 'PUT', url: path, body: batch, headers: condition })
      expect([many.statusCode, many.json()]).toMatchObject([400, { errorCode: 'HUB-BDY-001' }])
    }
    const fresh = { 'if-none-match': '*' }
    await write({ method: 'POST', url: path, body: { Id: 'cond-2' }, headers: fresh })
  })

  it('deletes a record once, and allows it to be created again', async () => {
    await write({ method: 'POST', url: path, body: { Id: 'd', Shortname: 'Gone' } })
    expect(await write({ method: 'DELETE', url: `${path}/d` })).toMatchObject({
      id: 'D',
      operation: 'Delete',
      deleted: 1,
    })
    expect(await read('d')).toBe(404)
    const headers = { 'content-type': 'application/json' }
    const again = await ask({ method: 'DELETE', url: `${path}/d`, headers })
    expect([again.statusCode, again.json()]).toMatchObject([404, { errorCode: 'HUB-RTE-003' }])
    expect((await ask({ method: 'PUT', url: `${path}/d`, body: {} })).statusCode).toBe(404)
    expect(await write({ method: 'POST', url: path, body: { Id: 'd' } })).toMatchObject({
      created: 1,
    })
  })

  it('creates, replaces and deletes records in a batch', async () => {
    const batch = [{ Id: 'b1', Shortname: 'x' }, { Id: 'b2' }]
    const created = await ask({ method: 'POST', url: path, body: batch })
    expect(created.json()).toMatchObject([
      { id: 'B1', created: 1 },
      { id: 'B2', created: 1 },
    ])
    const replaced = await ask({
      method: 'PUT',
      url: path,
      body: [{ Id: 'b1', Shortname: 'y' }, { Id: 'B2' }],
    })
    expect(replaced.json()).toMatchObject([{ objectchanged: 1 }, { objectchanged: 0 }])
    expect((await ask({ method: 'DELETE', url: path, body: ['b1', 'B2'] })).json()).toMatchObject([
      { deleted: 1 },
      { deleted: 1 },
    ])
  })

  it('stores unexpected types unchanged with a warning, and parses strings', async () => {
    const record = {
      Id: 'odd',
      Shortname: 7,
      Altitude: '12,5',
      LicenseInfo: { ClosedData: 'true' },
    }
    const response = await ask({ method: 'POST', url: path, body: record })
    const { warnings } = response.json()
    expect(warnings.map(({ pointer }: { pointer: string }) => pointer).toSorted()).toEqual([
      ...['/Altitude', '/LicenseInfo/ClosedData', '/Shortname'],
    ])
    expect(await read('odd')).toMatchObject({ ...record, Id: 'ODD' })
    const seen = await ask({ method: 'GET', url: `${path}/odd` })
    expect(seen.statusCode).toBe(404)
  })

  it('accepts tags in lower case only, and converts those of records to lower case', async () => {
    const admin = { headers: { authorization: 'Bearer admin' } }
    const upper = { Id: 'Summer', TagName: { en: 'Summer' } }
    const fault = { pointer: '/Id', detail: 'is not in lower case', expected: ['summer'] }
    for (const [method, url] of [
      ...[['POST', '/v1/Tag'] as const, ['PUT', '/v1/Tag'] as const],
      ['PUT', '/v1/Tag/Summer'] as const,
    ]) {
      const response = await ask({ method, url, body: upper, ...admin })
      expect([response.statusCode, response.json()]).toMatchObject([400, { errors: [fault] }])
    }
    const lower = { method: 'POST', url: '/v1/Tag', body: { ...upper, Id: 'summer' } } as const
    expect((await ask({ ...lower, ...admin })).statusCode).toBe(200)
    const tagged = { Id: 'tagged', TagIds: ['SUMMER', 'winter'], SmgTags: ['Sommer'] }
    const response = await ask({ method: 'POST', url: path, body: tagged })
    expect(response.json()).toMatchObject({
      warnings: [
        { pointer: '/TagIds/0', detail: 'is stored in lower case: summer' },
        { pointer: '/SmgTags/0', detail: 'is stored in lower case: sommer' },
      ],
    })
    expect(await read('tagged')).toMatchObject({
      ...{ TagIds: ['summer', 'winter'], SmgTags: ['sommer'] },
      Tags: [{ Id: 'summer', Name: 'Summer' }, { Id: 'winter' }],
    })
    const found = await ask({ method: 'GET', url: `${path}?tagfilter=summer&fields=Id`, ...admin })
    expect(found.json()).toMatchObject({ Items: [{ Id: 'TAGGED' }] })
  })

  it('reports the error of every item of a batch, even if it is not a record', async () => {
    await write({ method: 'POST', url: path, body: { Id: 'there' } })
    const faultsOf = async (method: 'POST' | 'PUT' | 'DELETE', body: readonly unknown[]) => {
      const response = await ask({ method, url: path, body })
      const { errorCode, errors } = response.json()
      const pointers = errors.map(({ pointer }: { readonly pointer: string }) => pointer)
      return [response.statusCode, errorCode, pointers]
    }
    const batch = [{ Id: 'there' }, { Id: 'new', GpsInfo: 'x' }, 5, { Id: {} }, { id: 'low' }, null]
    expect(await faultsOf('POST', batch)).toEqual([
      ...[400, 'HUB-BDY-006'],
      ['/0/Id', '/1/GpsInfo', '/2', '/3/Id', '/4/id', '/5'],
    ])
    expect(await faultsOf('PUT', [{ Id: 'nowhere' }, { Shortname: 'b' }])).toEqual([
      ...[400, 'HUB-BDY-006'],
      ['/0', '/1/Id'],
    ])
    expect(await faultsOf('DELETE', ['there', 7, 'a\u0000b'])).toEqual([
      400,
      'HUB-BDY-006',
      ['/1', '/2'],
    ])
    expect(await faultsOf('DELETE', [7])).toEqual([400, 'HUB-BDY-001', ['/0']])
    expect(await faultsOf('POST', [{ Id: {} }])).toEqual([400, 'HUB-BDY-001', ['/0/Id']])
    const wrong = [{ Id: 'new', GpsInfo: 'x' }]
    expect(await faultsOf('POST', wrong)).toEqual([400, 'HUB-BDY-001', ['/0/GpsInfo']])
    expect(await faultsOf('POST', [{ Id: 'there' }])).toEqual([400, 'HUB-BDY-004', ['/0/Id']])
    expect(await faultsOf('PUT', [{ Id: 'there', GpsInfo: 'x' }])).toEqual([
      ...[400, 'HUB-BDY-001'],
      ['/0/GpsInfo'],
    ])
    expect(await read('THERE')).not.toBe(404)
  })

  it('writes nothing from a batch with an error, and reports every error', async () => {
    const batch = [
      { Id: 'ok' },
      { Id: 'x', Active: 'perhaps' },
      { Id: 'OK' },
      { Id: 'y', LicenseInfo: 'CC0' },
    ]
    const response = await ask({ method: 'POST', url: path, body: batch })
    expect([response.statusCode, response.json()]).toMatchObject([
      400,
      {
        errorCode: 'HUB-BDY-006',
        errors: [
          { pointer: '/1/Active', expected: ['boolean', 'null'] },
          { pointer: '/2/Id' },
          { pointer: '/3/LicenseInfo' },
        ],
      },
    ])
    expect(await read('ok')).toBe(404)
  })

  it('succeeds only once if several callers create the same record at once', async () => {
    const answers = await Promise.all(
      [1, 2, 3].map((n) => ask({ method: 'POST', url: path, body: { Id: 'race', Counter: n } })),
    )
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 400, 400])
  })

  it('with dryrun=true returns the same result and errors, but stores nothing', async () => {
    await write({ method: 'POST', url: path, body: { Id: 'dry', Shortname: 'One' } })
    const before = await read('dry')
    const url = `${path}/dry?dryrun=true`
    const tried = await ask({ method: 'PUT', url, body: { Id: 'dry', Shortname: 'Two' } })
    expect(tried.json()).toMatchObject({
      ...{ operation: 'Update', updated: 1 },
      changes: [{ op: 'replace', path: '/Shortname', value: 'Two' }],
    })
    expect(tried.headers).not.toHaveProperty('etag')
    const outdated = { authorization: 'Bearer editor', 'if-match': '"other"' }
    const refused = await ask({ method: 'PUT', url, body: { Id: 'dry' }, headers: outdated })
    expect(refused.statusCode).toBe(412)
    const batch = [{ Id: 'dry', Shortname: 'Three' }]
    const many = await ask({ method: 'PUT', url: `${path}?dryrun=true`, body: batch })
    expect(many.json()).toMatchObject([{ id: 'DRY', objectchanged: 1 }])
    await write({ method: 'DELETE', url })
    expect(await read('dry')).toEqual(before)
    const made = await ask({ method: 'POST', url: `${path}?dryrun=true`, body: { Id: 'dry-2' } })
    expect(made.json()).toMatchObject({ created: 1 })
    expect(made.headers).not.toHaveProperty('location')
    expect((await ask({ method: 'GET', url: `${path}/dry-2` })).statusCode).toBe(404)
  })
})
