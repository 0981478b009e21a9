import { change, choice, flag, parameter, text, texts } from '../address/index.ts'
import { zone, zoneWords } from '../language/index.ts'
import type { ZoneWord } from '../language/index.ts'
import { rangeCodec } from './range/range.ts'
import type { Range } from './range/range.ts'
import { seriesCodec, seriesParameter } from './series/series.ts'
import type { SeriesId } from './series/series.ts'

/** The zone in the address of a chart; empty: the one of the page. */
export const zoneParameter = 'zone'
export const zoneCodec = choice<ZoneWord | ''>(['', ...zoneWords])

/** What a person has chosen; all of it stands in the address. Call it as the view begins. */
export function chartChoices() {
  const ids = parameter(seriesParameter, seriesCodec)
  const range = parameter('range', rangeCodec)
  const follows = parameter('follow', flag())
  const hidden = parameter('hide', texts())
  const clocks = zoneChoice()
  return {
    ids,
    range,
    follows,
    hidden,
    /** Whose clocks: the address of a chart may say so, else what the page shows everywhere. */
    get zone(): ZoneWord {
      return clocks.current
    },
    chooseZone: clocks.choose,
    view: parameter('view', choice(['chart', 'table', 'map'])),
    type: parameter('type', text()),
    /** What the map of latest values shows. */
    measure: parameter('measure', text()),
    /** Another range is a step that one can go back from; a window chosen manually stands still. */
    show: (next: Range) => {
      change((search) => {
        range.write(search, next)
        if (next.kind !== 'last') follows.write(search, false)
      }, 'push')
    },
    /** Begins to follow the present with as much time as is shown, or stops. */
    toggleFollow: (length: number) => {
      change((search) => {
        follows.write(search, !follows.value)
        if (!follows.value && range.value.kind !== 'last')
          range.write(search, { kind: 'last', length })
      }, 'push')
    },
    choose: (next: readonly SeriesId[]) => {
      ids.set(next, 'push')
    },
    toggle: (key: string) => {
      const others = hidden.value.filter((one) => one !== key)
      hidden.value = others.length < hidden.value.length ? others : [...others, key]
    },
  }
}

function zoneChoice() {
  const ofAddress = parameter(zoneParameter, zoneCodec)
  return {
    get current(): ZoneWord {
      return ofAddress.value || zone.word
    },
    choose: (next: ZoneWord) => {
      zone.choose(next)
      ofAddress.set(next === 'region' ? '' : next, 'push')
    },
  }
}

export type ChartChoices = ReturnType<typeof chartChoices>
