import { Compile } from 'typebox/compile'
import { schemaIssues } from '../../../errors/index.ts'
import { dataTypesKind } from '../../canonical/data-types.ts'
import { checkSteps } from '../decode/index.ts'
import { formatFault } from '../functions/time.ts'
import { offsetOf } from '../functions/zone.ts'
import type { Definition } from './definition.ts'
import type { Complain } from '../faults.ts'

const dataType = Compile(dataTypesKind.schemas.item)

/** What is wrong with a definition beyond its shape. */
export function checkDefinition(definition: Definition, complain: Complain): void {
  const { decode = ['json'], times = {}, dataTypes = [] } = definition
  for (const { index, reason } of checkSteps(decode)) {
    complain(definition.decode === undefined ? ['decode'] : ['decode', index], reason)
  }
  times.formats?.forEach((format, index) => {
    const fault = formatFault(format)
    if (fault !== undefined) complain(['times', 'formats', index], `${format} ${fault}`)
  })
  if (times.zone !== undefined && offsetOf(times.zone) === undefined) {
    complain(['times', 'zone'], `there is no time zone ${times.zone}; take one such as Europe/Rome`)
  }
  dataTypes.forEach((item, index) => {
    for (const { pointer, detail } of schemaIssues(dataType.Errors(item))) {
      complain(['dataTypes', index], `${pointer} ${detail}`)
    }
  })
}
