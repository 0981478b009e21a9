import { quotePattern, readJson } from '../../api/index.ts'
import type { Choice } from '../../design/index.ts'
import { printSeries } from '../series/series.ts'

type Row = {
  readonly stype: string
  readonly scode: string
  readonly sname?: string
  readonly tname: string
}

const most = 60

/**
 * Searches series. Each word must occur in the name or code of the station, or in the data type.
 */
export async function searchSeries(
  type: string,
  typed: string,
  signal: AbortSignal,
): Promise<readonly Choice[]> {
  const where = whereWords(typed)
  const { data } = await readJson<{ readonly data: readonly Row[] }>(
    `/v2/freshness/${type === '' ? '*' : encodeURIComponent(type)}`,
    {
      ...(where === undefined ? {} : { where }),
      select: 'stype,scode,sname,tname',
      limit: most,
    },
    signal,
  )
  const found = data.map(({ stype, scode, sname, tname }) => ({
    value: printSeries({ type: stype, code: scode, dataType: tname }),
    label: `${sname ?? scode} · ${tname}`,
    note: type === '' ? `${stype} ${scode}` : scode,
  }))
  return [...new Map(found.map((choice) => [choice.value, choice])).values()]
}

/** Builds the condition that requires each word in one of the fields, ignoring case. */
export function whereWords(typed: string): string | undefined {
  const words = typed.split(/\s+/).filter((word) => word !== '')
  if (words.length === 0) return undefined
  const conditions = words.map((word) => {
    const pattern = quotePattern(word)
    return `or(${['sname', 'scode', 'tname'].map((field) => `${field}.ire.${pattern}`).join(',')})`
  })
  return conditions.join(',')
}
