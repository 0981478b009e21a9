import { change, choice, flag, parameter, text, texts } from '../address/index.ts'
import { zone, zoneWords } from '../language/index.ts'
import type { ZoneWord } from '../language/index.ts'
import { rangeCodec } from './range/range.ts'
import type { Range } from './range/range.ts'
import { seriesCodec, seriesParameter } from './series/series.ts'
import type { SeriesId } from './series/series.ts'

/** URL parameter of the chart's time zone. Empty means the zone of the page. */
export const zoneParameter = 'zone'
export const zoneCodec = choice<ZoneWord | ''>(['', ...zoneWords])

/** Binds the user's choices to the URL. Call it during component initialization. */
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
    /** The time zone from the URL of the chart, or else that of the page. */
    get zone(): ZoneWord {
      return clocks.current
    },
    chooseZone: clocks.choose,
    view: parameter('view', choice(['chart', 'table', 'map'])),
    type: parameter('type', text()),
    /** Data type on the map of latest values. */
    measure: parameter('measure', text()),
    /**
     * Shows another range and adds a history entry. A window that was chosen manually stops
     * following.
     */
    show: (next: Range) => {
      change((search) => {
        range.write(search, next)
        if (next.kind !== 'last') follows.write(search, false)
      }, 'push')
    },
    /** Starts or stops following the present. The length of the visible period is kept. */
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
