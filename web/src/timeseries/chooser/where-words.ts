import { quote } from '../series/where.ts'

/** The words as a condition: each of them somewhere, whatever its case. */
export function whereWords(typed: string): string | undefined {
  const words = typed.split(/\s+/).filter((word) => word !== '')
  if (words.length === 0) return undefined
  const conditions = words.map((word) => {
    const pattern = quote(word.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))
    return `or(${['sname', 'scode', 'tname'].map((field) => `${field}.ire.${pattern}`).join(',')})`
  })
  return conditions.join(',')
}
