import type { Members } from '../read/json.ts'
import { readTexts } from '../read/texts.ts'

/** Members that the overview of a record shows in words of their own. */
const shown =
  /^(Id|_Meta|Self|Shortname|Source|LicenseInfo|LastChange|FirstImport|HasLanguage|PublishedOn|Active|Tags|TagIds|ImageGallery|OperationSchedule|ContactInfos|OrganizerInfos|AccoDetail|Detail|GpsInfo|Geo|Geometry|Latitude|Longitude|Altitude|LocationInfo|EventDate|RelatedContent)$/

/** What is left of a record beside what the overview shows. */
export function otherMembers(record: Members): Members {
  const texts = new Set(readTexts(record).map(({ path }) => path))
  return Object.fromEntries(
    Object.entries(record).filter(([name]) => !shown.test(name) && !texts.has(name)),
  )
}
