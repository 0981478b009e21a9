import type { Member, Values } from '../../api/index.ts'
import { quoteForWhere } from '../../api/query.ts'
import { quoteForRawFilter } from '../../dataset/query/index.ts'
import type { ExpressionLanguage } from './conditions.ts'

/** Name of an example. Its description is among the messages. */
export type ExampleName =
  | 'activeAndHigh'
  | 'titleContains'
  | 'changedLately'
  | 'withPictures'
  | 'withoutEnglish'
  | 'withTag'
  | 'activeStations'
  | 'large'
  | 'named'
  | 'near'
  | 'ofOrigin'

export type Example = { readonly name: ExampleName; readonly expression: string }

type Known = {
  readonly members: readonly Member[]
  readonly values: Pick<Values, 'tags' | 'sources'> | undefined
  readonly textLanguage: string
  readonly now: Date
}

const mostShown = 5
const month = 30 * 86_400_000

/** Returns example expressions that match something in a dataset. */
export function examplesFor(language: ExpressionLanguage, known: Known): readonly Example[] {
  const all = language === 'where' ? stationExamples(known) : contentExamples(known)
  return all.slice(0, mostShown)
}

function contentExamples({ members, values, textLanguage, now }: Known): readonly Example[] {
  const has = hasMember(members)
  const altitude = has('GpsInfo.[*].Altitude')
    ? 'GpsInfo.0.Altitude'
    : ['Altitude', 'AltitudeLowestPoint'].find(has)
  const title = ['Detail', 'AccoDetail']
    .flatMap((name) => ['Title', 'Name'].map((member) => `${name}.${textLanguage}.${member}`))
    .find(has)
  const [tag] = values?.tags ?? []
  const since = new Date(now.getTime() - month).toISOString().slice(0, 10)
  return [
    ...when(altitude, (path) => one('activeAndHigh', `and(eq(Active,true),ge(${path},1200))`)),
    ...when(title, (path) => one('titleContains', `like(${path},'berg')`)),
    ...when(has('LastChange'), () => one('changedLately', `ge(LastChange,dt'${since}')`)),
    ...when(has('ImageGallery.[*].ImageUrl'), () =>
      one('withPictures', 'isnotnull(ImageGallery.0.ImageUrl)'),
    ),
    ...when(tag, ({ id }) => one('withTag', `in(Tags.[*].Id,${quoteForRawFilter(id)})`)),
    ...when(title, (path) =>
      one('withoutEnglish', `isnull(${path.replace(`.${textLanguage}.`, '.en.')})`),
    ),
  ]
}

function stationExamples({ members, values }: Known): readonly Example[] {
  const has = hasMember(members)
  const capacity = ['smetadata.capacity', 'smetadata.altitude', 'smetadata.elevation'].find(has)
  const [origin] = values?.sources ?? []
  return [
    one('activeStations', 'sactive.eq.true'),
    ...when(capacity, (path) => one('large', `${path}.gteq.100`)),
    one('named', 'sname.ire."^b"'),
    one('near', 'scoordinate.dlt.(10000,11.35,46.5)'),
    ...when(origin, ({ id }) => one('ofOrigin', `sorigin.eq.${quoteForWhere(id)}`)),
  ]
}

/** Deprecated fields are not used in examples. */
const hasMember = (members: readonly Member[]) => (path: string) =>
  members.some((member) => member.path === path && member.deprecated === null)

const one = (name: ExampleName, expression: string): Example => ({ name, expression })

function when<Found>(
  found: Found | undefined | false,
  make: (found: Found) => Example,
): readonly Example[] {
  return found === undefined || found === false ? [] : [make(found)]
}
