import { defineEntity } from '../entity.ts'
import { announcementColumns, announcementFilters } from '../filters/lists/announcement.ts'
import { recordSchema } from './base.ts'
import { shortDetail } from './members/detail.ts'
import { namedPositions } from './members/gps.ts'
import { tagIds } from './members/tags.ts'
import { keyed, moment, note, object } from './members/values.ts'

/**
 * Mobility events as records: for each series its newest state (decisions D37, D50). A view, which the
 * database keeps in step with the events (migrations/0013-announcements.sql).
 */
export const announcement = () =>
  defineEntity({
    name: 'Announcement',
    summary: 'Traffic events: closures, road works, accidents, weather on the road',
    idStyle: 'lower',
    titles: ['Detail.*.Title'],
    columns: announcementColumns,
    filters: announcementFilters,
    area: 'event',
    schema: recordSchema('Announcement', {
      StartTime: note(moment, 'When the event begins; null where it is not known'),
      EndTime: note(moment, 'When it ends; null where that is open'),
      Detail: shortDetail,
      Geo: note(namedPositions, 'Where it is: one position, its whole shape as Geometry (WKT)'),
      TagIds: tagIds,
      AdditionalProperties: note(
        keyed(object({})),
        'MobilityEvent: what the event says besides, as /v2/flat,event has it',
      ),
    }),
  })
