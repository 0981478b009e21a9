/**
 * Prints `src/traffic/datex/enumerations.ts` from the DATEX II schema given as argument:
 *
 *   node scripts/datex-enumerations.ts DATEXIISchema_2_2_3.xsd > src/traffic/datex/enumerations.ts
 *
 * Only enumerations that the type tables name are printed.
 */
import { readFileSync } from 'node:fs'
import { SaxesParser } from 'saxes'
import { typeSpecs } from '../src/traffic/datex/complex-types.ts'

/** Enumeration name → its values in the order of the schema. */
export function readEnumerations(xsd: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  let current: string[] = []
  const parser = new SaxesParser()
  parser.on('opentag', ({ name, attributes }) => {
    if (name === 'xs:simpleType' && attributes['name'] !== undefined) {
      current = []
      found.set(attributes['name'], current)
    }
    if (name === 'xs:enumeration' && attributes['value'] !== undefined) {
      current.push(attributes['value'])
    }
  })
  parser.write(xsd).close()
  return found
}

function namesInUse(): readonly string[] {
  const members = Object.values(typeSpecs).flatMap((spec) => Object.values(spec.members))
  const names = members.map((member) => (typeof member === 'string' ? member : member[0]))
  const types = names.map((name) => name.replace(/[?*+{].*$/, ''))
  return [...new Set(types)].filter((name) => name.endsWith('Enum')).sort()
}

/** Wide enough for the module to stay within the house's 250 lines. */
const lineWidth = 112

/** Words after a label, continued on indented lines. */
function wrap(label: string, words: readonly string[]): string {
  const lines = [`${label}:`]
  for (const word of words) {
    const line = lines.at(-1) ?? ''
    if (line.length + word.length + 1 > lineWidth) lines.push(`  ${word}`)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines.join('\n')
}

function toModule(enumerations: ReadonlyMap<string, readonly string[]>): string {
  const table = namesInUse().map((name) => wrap(name, enumerations.get(name) ?? []))
  return `// Printed by scripts/datex-enumerations.ts from the DATEX II 2.3 schema; do not edit by hand.
const table = \`
${table.join('\n')}
\`

/** The allowed values of each enumeration that the type tables use. */
export const enumerations: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  table
    .trim()
    .split(/\\n(?! )/)
    .map((entry) => entry.split(':'))
    .map(([name = '', values = '']) => [name, new Set(values.trim().split(/\\s+/))]),
)
`
}

const [, , file] = process.argv
if (import.meta.main) {
  if (file === undefined) {
    console.error(
      'Give the schema file: node scripts/datex-enumerations.ts DATEXIISchema_2_2_3.xsd',
    )
    process.exitCode = 2
  } else {
    process.stdout.write(toModule(readEnumerations(readFileSync(file, 'utf8'))))
  }
}
