import type { TLocalizedValidationError } from 'typebox/error'
import type { Issue } from './app-error.ts'
import { sentenceOf } from './catalogue.ts'

type Fault = TLocalizedValidationError

/** A missing or unknown member is reported at its parent; the pointer should name the member itself. */
function pointers(fault: Fault): readonly string[] {
  const below = (names: readonly string[]) =>
    names.map((name) => `${fault.instancePath}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
  if (fault.keyword === 'required') return below(fault.params.requiredProperties)
  if (fault.keyword === 'additionalProperties') return below(fault.params.additionalProperties)
  return [fault.instancePath]
}

function describe(fault: Fault): Pick<Issue, 'detail' | 'expected'> {
  switch (fault.keyword) {
    case 'required':
      return { detail: 'is required' }
    // A schema reports an unknown member by itself, and all of them at their parent: that may come too
    // late, because only the first eight faults are reported.
    case 'boolean':
    case 'additionalProperties':
      return { detail: 'is not a known member' }
    case 'type':
      return { detail: fault.message, expected: [fault.params.type].flat() }
    case 'enum':
      return {
        detail: 'is not one of the allowed values',
        expected: fault.params.allowedValues.map(String),
      }
    case 'pattern':
      return { detail: sentenceOf(String(fault.params.pattern)) }
    default:
      return { detail: fault.message }
  }
}

/**
 * The faults that a schema found, one issue per place. A union reports every branch that failed;
 * only the first fault of a place is kept, preferring the one that knows what is expected.
 */
export function schemaIssues(
  faults: readonly Fault[],
): readonly (Issue & { readonly pointer: string })[] {
  const issues = new Map<string, Issue & { readonly pointer: string }>()
  for (const fault of faults) {
    for (const pointer of pointers(fault)) {
      const known = issues.get(pointer)
      if (known === undefined || (known.expected === undefined && fault.keyword === 'enum')) {
        issues.set(pointer, { pointer, ...describe(fault) })
      }
    }
  }
  return [...issues.values()]
}
