import { isAlias, isScalar } from 'yaml'
import type { Document } from 'yaml'
import { readDocument } from '../../../definitions/index.ts'
import type { DefinitionFault, Locate } from '../../../definitions/index.ts'
import { fieldsOf } from '../../../lang/json.ts'
import { stepFaults } from '../decode/index.ts'
import { definition } from './definition.ts'
import type { Definition } from './definition.ts'

type ReadDefinition =
  | {
      readonly kind: 'read'
      readonly definition: Definition
      /** As it is written: 1.10 is another version than 1.1. */
      readonly version: string
      readonly locate: Locate
    }
  | { readonly kind: 'wrong'; readonly faults: readonly DefinitionFault[] }

const read = readDocument({
  schema: definition,
  title: 'The mapping',
  // A step has one of many forms: the faults of the schema for each of them help nobody.
  parts: {
    has: ([name, ...below]) => name === 'decode' && below.length > 0,
    faults: (value) => {
      const { decode } = fieldsOf(value)
      const steps: readonly unknown[] = Array.isArray(decode) ? decode : []
      return steps.flatMap((step, index) =>
        stepFaults(step).map(({ path, reason }) => ({ path: ['decode', index, ...path], reason })),
      )
    },
  },
})

/** Reads the text of a `mapping.yaml`. Pure. @param file for the faults */
export function readDefinition(text: string, file: string): ReadDefinition {
  const found = read(text, file)
  if (found.kind === 'wrong') return found
  const { value, document, locate } = found
  return { kind: 'read', definition: value, version: writtenVersion(document, value), locate }
}

/** A number has forgotten how it was written: its text stands in the document. */
function writtenVersion(document: Document, { version }: Definition): string {
  const member: unknown = document.getIn(['version'], true)
  const node = isAlias(member) ? member.resolve(document) : member
  const isNumber = typeof version === 'number' && isScalar(node)
  return isNumber ? (node.source ?? String(version)) : String(version)
}
