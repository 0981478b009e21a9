import { busyness, hourOfDay } from '../rhythms.ts'
import { halfHour, hourly, open, quarterHour } from '../station-type.ts'
import type { Nature, StationType } from '../station-type.ts'

/** People on foot, by bicycle and in called buses, and the places they go to. */

const counted = (perHour: number) => (nature: Nature, time: number) =>
  Math.round((perHour / 4) * nature.capacity * busyness('leisure', nature.hash, time))

/** A minibus circles round its stop, and stands still at night. */
function position({ hash, position: [longitude, latitude] }: Nature, time: number) {
  const hours = hourOfDay(time)
  const isOut = hours > 6 && hours < 22
  const angle = (time / 5_400_000 + (hash % 100) / 16) * 2 * Math.PI
  const radius = isOut ? 0.004 : 0
  return {
    type: 'Point',
    coordinates: [
      Math.round((longitude + Math.cos(angle) * radius) * 1e5) / 1e5,
      Math.round((latitude + Math.sin(angle) * radius * 0.7) * 1e5) / 1e5,
    ],
    state: isOut ? 'in service' : 'parked',
  }
}

export const peopleTypes: readonly StationType[] = [
  {
    name: 'BikeCounter',
    count: 16,
    origins: [open('eco-counter')],
    prefix: 'cyclists',
    where: 'village',
    capacity: [1, 4],
    title: ({ de, it }) => `${de} / ${it} cycle path`,
    metadata: (random) => ({
      direction: random.pick(['both', 'in', 'out']),
      installed: '2023-04-01',
    }),
    series: [{ dataType: 'count-bikes', period: halfHour, value: counted(120) }],
  },
  {
    name: 'PeopleCounter',
    count: 12,
    origins: [open('systems-merano')],
    prefix: 'people',
    where: 'village',
    capacity: [1, 6],
    title: ({ de, it }) => `${de} / ${it} promenade`,
    metadata: (random) => ({ technology: random.pick(['camera', 'radar']) }),
    series: [{ dataType: 'count-people', period: quarterHour, value: counted(180) }],
  },
  {
    name: 'ON_DEMAND_VEHICLE',
    count: 10,
    origins: [open('ON_DEMAND_MERANO'), open('ON_DEMAND_BADIA')],
    prefix: 'callbus',
    where: 'village',
    capacity: [8, 8],
    title: ({ de, number }) => `call bus ${number} ${de}`,
    metadata: (random, capacity) => ({ seats: capacity, wheelchair: random.chance(0.5) }),
    series: [
      { dataType: 'position', period: halfHour, value: position },
      {
        dataType: 'passengers',
        period: hourly,
        value: ({ hash, capacity }, time) =>
          Math.round(capacity * busyness('leisure', hash, time) * 0.8),
      },
    ],
  },
  {
    name: 'ON_DEMAND_STOP',
    count: 40,
    origins: [open('ON_DEMAND_MERANO'), open('ON_DEMAND_BADIA')],
    prefix: 'callstop',
    where: 'anywhere',
    capacity: [1, 1],
    title: ({ de, it, number }) => `${de} / ${it} stop ${number}`,
    metadata: (random) => ({ shelter: random.chance(0.5) }),
    series: [],
  },
  {
    name: 'Culture',
    count: 50,
    origins: [open('idm')],
    prefix: 'culture',
    where: 'village',
    capacity: [1, 1],
    title: ({ de, it, number }) => `${de} / ${it} culture ${number}`,
    metadata: (random) => ({ kind: random.pick(['library', 'theatre', 'gallery', 'archive']) }),
    series: [],
  },
  {
    name: 'NOI-Place',
    count: 32,
    origins: [open('NOI')],
    prefix: 'place',
    where: 'village',
    capacity: [4, 200],
    title: ({ number }) => `place ${number}`,
    metadata: (random, capacity) => ({ capacity, building: random.pick(['A1', 'A2', 'B1', 'D1']) }),
    series: [],
  },
]
