import { expect, it } from 'vitest'
import { publication } from '../../test/fixtures/catalogue-datasets.ts'
import { publicUrl, visibilityOf } from '../../test/fixtures/test-app.ts'
import type { Queryable } from '../storage/index.ts'
import { keepCatalogue } from './keep-current.ts'

const fault = new Error('no database')

/** Opens the catalogues of an empty database. The test sets how many of its statements fail. */
function openCatalogues() {
  const set = { failures: 0 }
  const answer = async () => {
    set.failures -= 1
    if (set.failures >= 0) throw fault
    return []
  }
  const database: Queryable = { query: answer, texts: answer, execute: async () => 0 }
  const reported: unknown[] = []
  const catalogue = keepCatalogue({
    ...{ database, publicUrl, publication, visibilityOf, entities: [], title: 'Hub' },
    licences: new Map(),
    now: () => new Date('2026-11-20T12:00:00Z'),
    onError: (error) => reported.push(error),
  })
  return { catalogue, set, reported }
}

it('Every catalogue is renewed, even if renewing an earlier one fails', async () => {
  const { catalogue, set, reported } = openCatalogues()
  const named = { subject: 'a', client: 'b', name: 'c', token: 'd' }
  const admin = { kind: 'verified' as const, ...named, roles: new Set(['ADMIN']) }
  set.failures = Infinity
  await expect(catalogue.of(admin)).rejects.toThrow(fault)
  set.failures = 1
  await catalogue.renew()
  expect(reported).toEqual([fault])
  set.failures = Infinity
  await expect(catalogue.of(admin)).resolves.toMatchObject({ extent: null })
})
