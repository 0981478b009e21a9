import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cloneDatabase, describeOn } from '../../test/fixtures/databases.ts'
import type { TestDatabase } from '../../test/fixtures/databases.ts'
import { runHub } from '../../test/fixtures/run-hub.ts'

describeOn('postgresql', 'hub timeseries partitions', () => {
  let clone: TestDatabase
  beforeAll(async () => {
    clone = await cloneDatabase('postgresql')
  })
  afterAll(() => clone.drop())

  const partitions = (args: readonly string[], more: object = {}) => {
    const settings = { ...clone.settings, ...more }
    return runHub(['timeseries', 'partitions', ...args], { settings })
  }
  const statesOf = async () => {
    const { out } = await partitions(['list', '--json'])
    const rows: readonly { month: string | null; state: string }[] = JSON.parse(out)
    return Object.fromEntries(rows.map(({ month, state }) => [month ?? 'other', state]))
  }

  it('creates months, plans their retirement, retires and attaches them', async () => {
    const made = await partitions(['make', '--from', '2019-12', '--to', '2020-02'])
    expect(made).toMatchObject({ code: 0, out: 'Created: 2019-12, 2020-01, 2020-02.\n' })
    const keep = { HUB_MEASUREMENT_KEEP_MONTHS: '24' }
    const plan = await partitions(['retire', '--dry-run'], keep)
    expect(plan.out).toMatch(/measurement_2020_02 +attached +\S+ +\d+ +detach/)
    expect(await statesOf()).toMatchObject({ '2020-02': 'attached' })
    const retired = await partitions(['retire', '--how', 'move'], keep)
    expect(retired.out).toMatch(/measurement_2019_12 +move\n/)
    expect(await statesOf()).toMatchObject({ '2019-12': 'moved', '2020-02': 'moved' })
    const early = await partitions(['attach', '2020-01'], keep)
    expect([early.code, early.err]).toEqual([1, expect.stringContaining('older than what is kept')])
    expect(await partitions(['attach', '2020-01'])).toMatchObject({ code: 0 })
    expect(await statesOf()).toMatchObject({ '2020-01': 'attached', '2019-12': 'moved' })
    const listed = await partitions([], keep)
    expect(listed.out).toMatch(/measurement_2020_01 +2020-01 +attached +\S+ +\d+ +detach\n/)
  })

  it('refuses months older than the settings allow, and names the setting', async () => {
    const { code, err } = await partitions(['make', '--from', '1998-05', '--to', '1998-05'])
    expect([code, err]).toEqual([1, expect.stringContaining('HUB_MEASUREMENT_YEARS_BACK')])
  })

  it('retires months to the configured cold place, and attaches them again', async () => {
    const keep = ['--keep-months', '24']
    await partitions(['make', '--from', '2021-01', '--to', '2021-01'])
    const nowhere = await partitions(['retire', '--to', 'parquet', ...keep])
    expect([nowhere.code, nowhere.err]).toEqual([1, expect.stringContaining('Set HUB_COLD_PLACE')])
    const place = { HUB_COLD_PLACE: await mkdtemp(join(tmpdir(), 'hub-cold-test-')) }
    const retired = await partitions(['retire', '--to', 'parquet', ...keep], place)
    expect(retired.out).toMatch(/measurement_2021_01 +parquet\n/)
    expect(await statesOf()).toMatchObject({ '2021-01': 'cold' })
    expect(await partitions(['attach', '2021-01'], place)).toMatchObject({ code: 0 })
    expect(await statesOf()).toMatchObject({ '2021-01': 'attached' })
    await rm(place.HUB_COLD_PLACE, { recursive: true })
  })

  it.each([
    [['attach', '2020-13'], 'Expected a month'],
    [['retire', '--keep-months', '-1'], 'whole number of months'],
    [['retire', '--how', 'burn'], 'Allowed choices are detach, move, drop'],
    [['make', '--from', '2020-01'], '--to'],
  ])('%j fails with exit code 2 and a hint', async (args, words) => {
    const { code, err } = await partitions(args)
    expect([code, err]).toEqual([2, expect.stringContaining(words)])
  })
})
