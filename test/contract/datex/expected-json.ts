import { version3 } from '../../../src/datex/index.ts'
import type { Tree } from './xml-tree.ts'

/**
 * Derives the expected JSON encoding of a publication from its XML and the tables of the schema. No
 * JSON schema of DATEX II 3.7 has been published that it could be validated with.
 */
export function expectedJson(payload: Tree): unknown {
  const { lang, modelBaseVersion, 'xsi:type': type = '', ...others } = payload.attributes
  const beside = Object.entries(others).filter(([name]) => !name.startsWith('xmlns'))
  return {
    payload: {
      modelBaseVersionG: modelBaseVersion,
      versionG: '3.7',
      ...Object.fromEntries(beside.map(([name, value]) => [`${name}G`, value])),
      [jsonName(type)]: { lang, ...membersOf(payload, type) },
    },
  }
}

const jsonName = (type: string) => type.replace(':', '')

function membersOf(tree: Tree, typeName: string): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const child of tree.children) {
    const member = version3.types.get(typeName)?.members.find(({ name }) => name === child.name)
    if (member === undefined) throw new Error(`${typeName} has no ${child.name}.`)
    const known = fields[member.key]
    const value = valueOf(child, member.type)
    if (member.max === 1) fields[member.key] = value
    else fields[member.key] = [...(Array.isArray(known) ? known : []), value]
  }
  return fields
}

function valueOf(tree: Tree, declared: string): unknown {
  switch (version3.formOf(declared)) {
    case 'text':
      return tree.text
    case 'number':
      return Number(tree.text)
    case 'boolean':
      return tree.text === 'true'
    case 'enumeration': {
      const { _extendedValue: extended } = tree.attributes
      return extended === undefined
        ? { value: tree.text }
        : { value: 'extendedG', extendedValueG: extended }
    }
    case 'texts':
      return {
        values: tree.children[0]?.children.map(({ attributes, text }) => ({ ...attributes, value: text })),
      }
    case 'structure':
      return structureOf(tree, declared)
  }
}

function structureOf(tree: Tree, declared: string): unknown {
  const { 'xsi:type': named = declared, ...attributes } = tree.attributes
  const rules = new Map(version3.types.get(named)?.attributes)
  const own = Object.entries(attributes).map(([name, text]) => [
    name === 'id' || name === 'version' ? `${name}G` : name,
    rules.get(name)?.startsWith('index') === true ? Number(text) : text,
  ])
  const structure: unknown = { ...Object.fromEntries(own), ...membersOf(tree, named) }
  return version3.types.get(declared)?.derived === true ? { [jsonName(named)]: structure } : structure
}
