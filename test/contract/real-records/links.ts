import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import type { Message } from './messages.ts'

const shapes = Type.Record(
  Type.String(),
  Type.Object({ name: Type.String(), geometry: Type.Object({ type: Type.String() }) }),
)

/** Converts links of the road network, with the lines that they follow, to edges. */
export function fromLinkShapes(read: unknown): readonly Message[] {
  const items = Object.entries(Parse(shapes, read)).map(([code, { name, geometry }]) => ({
    code,
    name,
    geometry,
    directed: false,
  }))
  return [{ kind: 'edges', edgeType: 'LinkStation', origin: 'NOI', items }]
}

const stationType = 'BluetoothStation'

/** Converts link codes, such as `1842->1843`, to edges. The two ends are stations. */
export function fromLinkCodes(read: unknown): readonly Message[] {
  const links = Object.keys(Parse(Type.Object({}), read)).map(
    (code) => [code, code.split('->')] as const,
  )
  const ends = new Set(links.flatMap(([, [from = '', to = '']]) => [from, to]))
  return [
    { kind: 'stations', stationType, items: [...ends].map((code) => ({ code })) },
    {
      kind: 'edges',
      edgeType: 'LinkStation',
      origin: 'A22',
      items: links.map(([code, [from = '', to = '']]) => ({
        code,
        from: { type: stationType, code: from },
        to: { type: stationType, code: to },
        active: true,
      })),
    },
  ]
}
