import type { Line } from './create-line.ts'
import { notUnderstood, shown } from './faults.ts'
import type { Place } from './faults.ts'

/** So many positions are a step of work of about a millisecond. */
const perStep = 1000

const blanks = /\s{1,10000}/y
const number = String.raw`([^\s,]{1,120})`
const comma = String.raw`\s{0,100},\s{0,100}`
/** Longitude, latitude and, where there is one, altitude; blanks around the commas are read over. */
const tuple = new RegExp(`${number}${comma}${number}(?:${comma}${number})?(?=\\s|$)`, 'y')

type Target = {
  readonly line: Line
  /** Where the text begins. */
  readonly at: Place
}

/**
 * Adds the positions of an element `coordinates` to a line (OGC 12-007r2, section 16.9).
 * @returns an element for each step of work
 * @throws AppError HUB-GEO-001 with the line and column of what is no position
 */
export function* readTuples(text: string, { line, at }: Target): Generator<undefined> {
  let position = 0
  for (let step = 1; position < text.length; step++) {
    if (step % perStep === 0) yield undefined
    const blank = matchAt(blanks, text, position)
    if (blank !== null) {
      position += blank[0].length
      continue
    }
    const [whole = '', longitude = '', latitude = '', altitude] =
      matchAt(tuple, text, position) ?? []
    const place = () => placeIn(text, position, at)
    if (whole === '') {
      const [wrong = ''] = matchAt(/[^\s]{1,120}/y, text, position) ?? []
      throw notUnderstood(`${shown(wrong)} is no longitude,latitude[,altitude].`, place())
    }
    line.add({ longitude, latitude, altitude }, place)
    position += whole.length
  }
}

function matchAt(pattern: RegExp, text: string, position: number): RegExpExecArray | null {
  pattern.lastIndex = position
  return pattern.exec(text)
}

/** Where in the file a character of a text stands. */
function placeIn(text: string, position: number, at: Place): Place {
  const before = text.slice(0, position).split('\n')
  const column = (before.at(-1)?.length ?? 0) + (before.length === 1 ? at.column : 1)
  return { line: at.line + before.length - 1, column }
}
