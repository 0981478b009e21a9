import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import type { Message } from './messages.ts'

const answer = Type.Object({
  data: Type.Array(
    Type.Object({
      evuuid: Type.String(),
      evseriesuuid: Type.String(),
      evorigin: Type.String(),
      evname: Type.String(),
      evcategory: Type.String(),
      evdescription: Type.String(),
      evstart: Type.String(),
      evend: Type.String(),
      evmetadata: Type.Object({}),
      evlgeometry: Type.Object({ type: Type.String(), coordinates: Type.Array(Type.Number()) }),
      prname: Type.String(),
      prversion: Type.String(),
      prlineage: Type.String(),
    }),
  ),
})

/** Converts rows of flat,event to messages with events. */
export function fromEventRows(read: unknown): readonly Message[] {
  return Parse(answer, read).data.map((row) => ({
    kind: 'events',
    origin: row.evorigin,
    provenance: { name: row.prname, version: row.prversion, lineage: row.prlineage },
    items: [
      {
        uuid: row.evuuid,
        series: row.evseriesuuid,
        name: row.evname,
        category: row.evcategory,
        description: row.evdescription,
        start: row.evstart.replace(' ', 'T'),
        end: row.evend.replace(' ', 'T'),
        metadata: row.evmetadata,
        geometry: { type: row.evlgeometry.type, coordinates: row.evlgeometry.coordinates },
      },
    ],
  }))
}
