import { Type } from 'typebox'
import type { Static } from 'typebox'
import { Parse } from 'typebox/value'

/** An announcement as traffic transformers write it (reference push-traffic-auth.md 2.10). */
const announcement = Type.Object({
  Id: Type.String(),
  Shortname: Type.String(),
  Source: Type.String(),
  LicenseInfo: Type.Object({ ClosedData: Type.Boolean() }),
  TagIds: Type.Array(Type.String()),
  StartTime: Type.String(),
  EndTime: Type.Optional(Type.String()),
  Mapping: Type.Record(Type.String(), Type.Record(Type.String(), Type.String())),
  Geo: Type.Object({
    position: Type.Object({ Latitude: Type.Number(), Longitude: Type.Number() }),
  }),
  Detail: Type.Record(
    Type.String(),
    Type.Object({ Title: Type.String(), BaseText: Type.Optional(Type.String()) }),
  ),
})

const calls = Type.Object({
  putMultiples: Type.Array(
    Type.Object({ apiPath: Type.Literal('Announcement'), payload: Type.Array(announcement) }),
  ),
})

type Announcement = Static<typeof announcement>

/**
 * Converts announcements to events to push, one message per origin, with closed data in separate
 * messages.
 */
export function fromAnnouncements(recorded: unknown) {
  const all = Parse(calls, recorded).putMultiples.flatMap(({ payload }) => payload)
  const groups = Map.groupBy(all, ({ Source, LicenseInfo }) =>
    JSON.stringify([Source, LicenseInfo.ClosedData]),
  )
  return [...groups.values()].map((announcements) => ({
    kind: 'events' as const,
    origin: announcements[0]?.Source ?? '',
    closed: announcements[0]?.LicenseInfo.ClosedData ?? false,
    items: announcements.map(toEvent),
  }))
}

function toEvent({
  Id,
  Shortname,
  TagIds,
  StartTime,
  EndTime,
  Mapping,
  Geo,
  Detail,
}: Announcement) {
  const { Latitude, Longitude } = Geo.position
  const perLanguage = (pick: (detail: Announcement['Detail'][string]) => string | undefined) =>
    Object.fromEntries(
      Object.entries(Detail).flatMap(([language, detail]) => {
        const words = pick(detail)
        return words === undefined ? [] : [[language, words] as const]
      }),
    )
  return {
    uuid: Id.split(':').at(-1) ?? Id,
    name: Shortname,
    category: TagIds.at(-1) ?? null,
    tags: TagIds.filter((tag) => tag.startsWith('traffic-event:')),
    start: StartTime,
    end: EndTime ?? null,
    title: perLanguage(({ Title }) => Title),
    text: perLanguage(({ BaseText }) => BaseText),
    geometry: { type: 'Point', coordinates: [Longitude, Latitude] },
    metadata: { Mapping },
  }
}
