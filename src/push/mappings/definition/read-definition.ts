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
      /** Version as written, because 1.10 and 1.1 are different versions. */
      readonly version: string
      readonly locate: Locate
    }
  | { readonly kind: 'wrong'; readonly faults: readonly DefinitionFault[] }

const read = readDocument({
  schema: definition,
  title: 'The mapping',
  // A step has one of many forms, and the schema's faults for each of them would not help.
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

/**
 * Parses the text of a `mapping.yaml`. Pure.
 * @param file name of the file in faults
 */
export function readDefinition(text: string, file: string): ReadDefinition {
  const found = read(text, file)
  if (found.kind === 'wrong') return found
  const { value, document, locate } = found
  return { kind: 'read', definition: value, version: writtenVersion(document, value), locate }
}

/** Returns the version as written. A number does not keep its spelling, but the document does. */
function writtenVersion(document: Document, { version }: Definition): string {
  const member: unknown = document.getIn(['version'], true)
  const node = isAlias(member) ? member.resolve(document) : member
  const isNumber = typeof version === 'number' && isScalar(node)
  return isNumber ? (node.source ?? String(version)) : String(version)
}
