import type { Random } from '../random.ts'

/** The codes behind the masks of the accommodation list (interface 4.5, content.md 7.1.2). */

const stars = ['1star', '2stars', '3stars', '3sstars', '4stars', '4sstars', '5stars'] as const
const flowers = ['1flower', '2flowers', '3flowers', '4flowers', '5flowers'] as const
const suns = ['1sun', '2suns', '3suns', '4suns', '5suns'] as const
const uncategorised = ['Not categorized'] as const

/** Which categories a type of house has. */
export const categoriesByType: Readonly<Record<string, readonly string[]>> = {
  HotelPension: stars,
  BedBreakfast: [...stars.slice(0, 4), ...uncategorised],
  Farm: flowers,
  Camping: stars.slice(1, 6),
  Youth: uncategorised,
  Mountain: uncategorised,
  Notdefined: suns,
}

export const houseTypes = Object.keys(categoriesByType)

const boards = ['without board', 'breakfast', 'half board', 'full board', 'All Inclusive'] as const

const badges = [
  ...(['Wellnesshotel', 'Familienhotel', 'Bikehotel', 'Bauernhof', 'Behindertengerecht'] as const),
  ...(['Wanderhotel', 'Südtirol Privat', 'Vinumhotel', 'SustainabilityLevel1'] as const),
]

const themes = [
  ...(['Gourmet', 'In der Höhe', 'Regionale Wellness', 'Biken', 'Familie', 'Wandern'] as const),
  ...(['Wein', 'Städtisches Flair', 'Am Skigebiet', 'Mediterran', 'Dolomiten', 'Alpin'] as const),
  ...(['Kleine Betriebe', 'Hütten und Berggasthöfe', 'Bäuerliche Welten'] as const),
  ...(['Christkindlmarkt', 'Sustainability'] as const),
]

/** Equipment: code of the mask, and name of the feature. */
const equipment = [
  ['Gruppenfreundlich', 'Groups welcome'],
  ['Tagung', 'Meeting rooms'],
  ['Schwimmbad', 'Swimming pool'],
  ['Sauna', 'Sauna'],
  ['Garage', 'Garage'],
  ['Abholservice', 'Pick-up service'],
  ['Wlan', 'Wireless internet'],
  ['Barrierefrei', 'Barrier-free'],
  ['Allergikerküche', 'Menus for allergy sufferers'],
  ['Kleine Haustiere', 'Pets welcome'],
  ['Guestcard', 'Guest card'],
] as const

/** Boards, badges, themes and equipment of a house. */
export function choicesOf(random: Random) {
  const chosen = random.some(equipment, random.between(1, 7))
  return {
    BoardIds: random.some(boards, random.between(1, 3)),
    BadgeIds: random.some(badges, Math.max(0, random.between(-3, 2))),
    ThemeIds: random.some(themes, random.between(1, 5)),
    SpecialFeaturesIds: chosen.map(([code]) => code),
    Features: chosen.map(([code, name]) => ({
      Id: featureId(code),
      Name: name,
      HgvId: '',
      OtaCodes: null,
      RoomAmenityCodes: [],
    })),
  }
}

function featureId(code: string): string {
  return `DEMO-${code
    .normalize('NFD')
    .replaceAll(/[^A-Za-z]/g, '')
    .toUpperCase()}`
}

export function propertiesOf(random: Random, type: string) {
  const isCamping = type === 'Camping'
  return {
    HasApartment: type === 'Notdefined' || random.chance(0.3),
    HasRoom: type !== 'Notdefined' && !isCamping,
    HasDorm: type === 'Youth' || type === 'Mountain',
    HasPitches: isCamping,
    IsCamping: isCamping,
    IsGastronomy: type === 'HotelPension' || type === 'Mountain',
    IsBookable: random.chance(0.6),
    IsAccommodation: true,
    TVMember: random.chance(0.8),
  }
}

export function overviewOf(random: Random, rooms: number) {
  const singles = Math.floor(rooms * 0.15)
  return {
    TotalRooms: rooms,
    SingleRooms: singles,
    DoubleRooms: rooms - singles,
    MaxPersons: singles + (rooms - singles) * 2,
    OutdoorParkings: random.between(2, rooms + 2),
    GarageParkings: random.between(0, 10),
    ...{ CheckInFrom: '14:00:00', CheckInTo: '20:00:00' },
    ...{ CheckOutFrom: '07:00:00', CheckOutTo: '10:30:00' },
  }
}
