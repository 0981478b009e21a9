import { Type } from 'typebox'
import { requireRole } from '../../../access/index.ts'
import { AppError } from '../../../errors/index.ts'
import { isDay } from '../day.ts'
import { filter } from '../filter.ts'
import type { Filter, Scope } from '../filter.ts'
import { rejected } from '../reject.ts'
import { listSchema, toItems } from '../values.ts'

/** What days of a stay are counted in (decision D39). */
const zone = 'Europe/Rome'

const dayPattern = String.raw`^\d{4}-\d{2}-\d{2}$`

const stay: Filter = {
  name: 'arrival',
  parameters: [
    {
      name: 'arrival',
      schema: Type.String({ pattern: dayPattern, description: 'yyyy-MM-dd; absent: today' }),
      examples: {
        good: ['2199-01-31'],
        bad: ['2199-02-30', '31.1.2199', 'tomorrow', '2001-01-01'],
      },
    },
    {
      name: 'departure',
      schema: Type.String({
        pattern: dayPattern,
        description: 'yyyy-MM-dd; absent: the day after the arrival',
      }),
      examples: { good: ['2199-01-31'], bad: ['2199-02-30', 'x', '2001-01-01'] },
    },
  ],
  read: ({ query, now }) => {
    if (query['arrival'] === undefined && query['departure'] === undefined) return undefined
    const today = now === undefined ? '0001-01-01' : dayOf(now())
    const arrival = readDay(query, 'arrival') ?? today
    const departure = readDay(query, 'departure')
    if (arrival < today) {
      throw rejected({
        parameter: 'arrival',
        detail: 'lies in the past',
        expected: [`${today} or later`],
      })
    }
    if (departure !== undefined && departure <= arrival) {
      throw rejected({
        parameter: 'departure',
        detail: `must be after the arrival on ${arrival}`,
        expected: ['a later day, yyyy-MM-dd'],
      })
    }
    return undefined
  },
}

/** The day in the zone of the houses, yyyy-MM-dd. */
function dayOf(moment: Date): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(moment)
}

function readDay(query: Scope['query'], parameter: string): string | undefined {
  const written = query[parameter]
  if (typeof written !== 'string') return undefined
  if (isDay(written)) return written
  const expected = ['yyyy-MM-dd, such as 2199-01-31']
  throw rejected({ parameter, detail: `is no day: ${written}`, expected })
}

/** Nothing to filter by: only the value is checked. */
const checked = () => undefined

const room = /^[01248]-\d{1,3}(,\d{1,3})*$/

const rooms = filter({
  name: 'roominfo',
  schema: Type.String({
    maxLength: 1000,
    description:
      'Rooms with | between them, each a type (0 any, 1 room, 2 apartment, 4 pitch, 8 dormitory), a hyphen and the ages of its guests with commas; absent: 1-18,18',
  }),
  examples: {
    good: ['1-18,18', '0-18|2-30,30,5'],
    bad: ['1', '3-18', '1-', '1-18|', '1-200', 'x'],
  },
  read: (written) => {
    const isRoom = (text: string) =>
      room.test(text) && (text.split('-')[1] ?? '').split(',').every((age) => Number(age) <= 120)
    if (written.split('|').every(isRoom)) return undefined
    throw rejected({
      parameter: 'roominfo',
      detail: 'is no list of rooms and guests',
      expected: ['<type>-<age>,<age>|<type>-<age>, types 0, 1, 2, 4, 8, ages up to 120'],
    })
  },
})

const channels = ['hgv', 'htl', 'exp', 'bok', 'lts']

const bookingChannels = filter({
  name: 'bokfilter',
  schema: listSchema(`Booking channels: ${channels.join(', ')}; absent: hgv`),
  examples: { good: ['hgv', 'hgv,lts'], bad: ['abc', 'hgv,x', ','] },
  read: (written) => {
    const items = toItems(written)
    const wrong = items.find((item) => !channels.includes(item.toLowerCase()))
    if (wrong === undefined && items.length > 0) return undefined
    const detail = `has ${JSON.stringify(wrong ?? '')}, which is no booking channel`
    throw rejected({ parameter: 'bokfilter', detail, expected: channels })
  },
})

const check = filter({
  name: 'availabilitycheck',
  schema: Type.Boolean({
    description: 'Only houses with free rooms; closed data, so it takes a token with a role for it',
  }),
  examples: { good: ['false'], bad: ['maybe', '2'] },
  read: (wanted, { principal }) => {
    if (!wanted) return undefined
    requireRole(principal, 'AccoReader', 'DataReader', 'BDP_VIEW_CLOSED_DATA', 'ADMIN')
    throw new AppError('HUB-SRV-005', 'This hub has no source of free rooms.', {
      hint: 'Leave availabilitycheck out: everything else about the houses is there.',
    })
  },
})

/** The parameters of the availability check (interface 4.5, decision D39). */
export const availabilityParameters: readonly Filter[] = [
  stay,
  rooms,
  bookingChannels,
  filter({
    name: 'msssource',
    schema: Type.String({
      pattern: '^[A-Za-z0-9_-]{1,50}$',
      description: 'Source of the availability check; absent: sinfo',
    }),
    examples: { good: ['sinfo'], bad: ['a b', 'x'.repeat(51)] },
    read: checked,
  }),
  filter({
    name: 'availabilitychecklanguage',
    schema: Type.Enum(['de', 'it', 'en'], {
      description: 'Language of the answer to the availability check; absent: en',
    }),
    examples: { good: ['de', 'en'], bad: ['fr', 'DE '] },
    read: checked,
  }),
  filter({
    name: 'detail',
    schema: Type.Enum(['0', '1'], { description: '1 full detail, 0 basic; absent: 0' }),
    examples: { good: ['0', '1'], bad: ['2', 'full'] },
    read: checked,
  }),
  filter({
    name: 'ltsapiversion',
    schema: Type.Enum(['v1', 'v2'], {
      description: 'Version of the upstream availability service; absent: v2',
    }),
    examples: { good: ['v1', 'v2'], bad: ['2', 'v3'] },
    read: checked,
  }),
  check,
]
