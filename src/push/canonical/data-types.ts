import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { loadStoredDataTypes, storeDataTypes } from '../../timeseries/index.ts'
import { origins } from './covers.ts'
import { defineKind } from './kind.ts'
import { envelope, metadata, name, orNull } from './members.ts'

const message = Compile(
  Type.Object({ kind: Type.Literal('dataTypes'), ...envelope }, { additionalProperties: false }),
)

const item = Compile(
  Type.Object(
    {
      name,
      unit: Type.Optional(orNull(Type.String())),
      type: Type.Optional(
        orNull(Type.String({ description: 'Kind of measure, such as Instantaneous or Mean' })),
      ),
      description: Type.Optional(orNull(Type.String())),
      metadata: Type.Optional(orNull(metadata)),
    },
    { additionalProperties: false },
  ),
)

/** What stations measure: upsert by name; what is left out stays. */
export const dataTypesKind = defineKind({
  name: 'dataTypes',
  message,
  item,
  footprint: (_message, items) => ({ writes: items.map((one) => one.name), reads: [] }),
  covers: () => [
    {
      of: {
        ...{ kind: 'dataTypes', space: 'dataType', within: {}, names: origins, makesOwn: true },
        load: loadStoredDataTypes,
      },
      toTarget: (item) => ({ id: item.name, origin: undefined, isOpen: false }),
    },
  ],
  store: (tx, { items }, { received }) => storeDataTypes(tx, { items, received }),
})
