import type { Naming } from '../naming.ts'

/** A type as type lists show it: its code in records, and its names. */
type TypeRow = {
  readonly code: string
  /** As it is written for people who know the code. */
  readonly key: string
  readonly names: { readonly de: string; readonly it: string; readonly en: string }
}

/** Rows from their codes and names in German, Italian and English; the place of a row is its bit. */
function typeRows(
  rows: Readonly<Record<string, readonly [de: string, it: string, en: string]>>,
): readonly TypeRow[] {
  return Object.entries(rows).map(([code, [de, it, en]]) => ({
    code,
    key: code,
    names: { de, it, en },
  }))
}

/** The same for codes in lower case, whose key is the German name. */
function tagRows(rows: Parameters<typeof typeRows>[0]): readonly TypeRow[] {
  return typeRows(rows).map((row) => ({ ...row, key: row.names.de }))
}

/** What the bits of a mask stand for, from 1 upwards. */
export const maskCodes = (rows: readonly TypeRow[]): readonly string[] =>
  rows.map(({ code }) => code)

/** What the bits of the masks of accommodations stand for (interface 4.5, reference content.md 7.1.2). */

export const lodgings = typeRows({
  HotelPension: ['Hotel oder Pension', 'Albergo o pensione', 'Hotel or guesthouse'],
  BedBreakfast: ['Bed and Breakfast', 'Bed and breakfast', 'Bed and breakfast'],
  Farm: ['Bauernhof', 'Maso', 'Farm'],
  Camping: ['Camping', 'Campeggio', 'Camping'],
  Youth: ['Jugendherberge', 'Ostello della gioventù', 'Youth hostel'],
  Mountain: ['Berggasthof', 'Albergo di montagna', 'Mountain inn'],
  Apartment: ['Ferienwohnung', 'Appartamento', 'Apartment'],
  Notdefined: ['Nicht definiert', 'Non definito', 'Not defined'],
})

export const categories = typeRows({
  'Not categorized': ['Nicht eingestuft', 'Non classificato', 'Not categorised'],
  '1star': ['1 Stern', '1 stella', '1 star'],
  '1flower': ['1 Blume', '1 fiore', '1 flower'],
  '1sun': ['1 Sonne', '1 sole', '1 sun'],
  '2stars': ['2 Sterne', '2 stelle', '2 stars'],
  '2flowers': ['2 Blumen', '2 fiori', '2 flowers'],
  '2suns': ['2 Sonnen', '2 soli', '2 suns'],
  '3stars': ['3 Sterne', '3 stelle', '3 stars'],
  '3flowers': ['3 Blumen', '3 fiori', '3 flowers'],
  '3suns': ['3 Sonnen', '3 soli', '3 suns'],
  '3sstars': ['3 Sterne S', '3 stelle S', '3 stars S'],
  '4stars': ['4 Sterne', '4 stelle', '4 stars'],
  '4flowers': ['4 Blumen', '4 fiori', '4 flowers'],
  '4suns': ['4 Sonnen', '4 soli', '4 suns'],
  '4sstars': ['4 Sterne S', '4 stelle S', '4 stars S'],
  '5stars': ['5 Sterne', '5 stelle', '5 stars'],
  '5flowers': ['5 Blumen', '5 fiori', '5 flowers'],
  '5suns': ['5 Sonnen', '5 soli', '5 suns'],
})

export const boards = typeRows({
  'without board': ['Ohne Verpflegung', 'Solo pernottamento', 'Without board'],
  breakfast: ['Frühstück', 'Prima colazione', 'Breakfast'],
  'half board': ['Halbpension', 'Mezza pensione', 'Half board'],
  'full board': ['Vollpension', 'Pensione completa', 'Full board'],
  'All Inclusive': ['All inclusive', 'All inclusive', 'All inclusive'],
})

export const specialFeatures = typeRows({
  Gruppenfreundlich: ['Gruppenfreundlich', 'Adatto a gruppi', 'Group-friendly'],
  Tagung: ['Tagungsräume', 'Sale riunioni', 'Meeting rooms'],
  Schwimmbad: ['Schwimmbad', 'Piscina', 'Swimming pool'],
  Sauna: ['Sauna', 'Sauna', 'Sauna'],
  Garage: ['Garage', 'Garage', 'Garage'],
  Abholservice: ['Abholservice', 'Servizio navetta', 'Pick-up service'],
  Wlan: ['WLAN', 'Internet senza fili', 'Wireless internet'],
  Barrierefrei: ['Barrierefrei', 'Senza barriere', 'Barrier-free'],
  Allergikerküche: ['Küche für Allergiker', 'Cucina per allergici', 'Menus for allergy sufferers'],
  'Kleine Haustiere': ['Haustiere willkommen', 'Animali benvenuti', 'Pets welcome'],
})

export const themes = typeRows({
  Gourmet: ['Gourmet', 'Gourmet', 'Gourmet'],
  'In der Höhe': ['In der Höhe', 'In quota', 'At altitude'],
  'Regionale Wellness': ['Regionale Wellness', 'Benessere regionale', 'Regional wellness'],
  Biken: ['Auf Rädern', 'Su due ruote', 'On wheels'],
  Familie: ['Mit der Familie', 'In famiglia', 'With the family'],
  Wandern: ['Wandern', 'Escursioni', 'Hiking'],
  Wein: ['In den Weinbergen', 'Tra i vigneti', 'In the vineyards'],
  'Städtisches Flair': ['Städtisches Flair', 'Atmosfera di città', 'Urban vibe'],
  'Am Skigebiet': ['Am Skigebiet', 'Vicino alle piste', 'At the ski resort'],
  Mediterran: ['Mediterran', 'Mediterraneo', 'Mediterranean'],
  Dolomiten: ['In den Dolomiten', 'Nelle Dolomiti', 'In the Dolomites'],
  Alpin: ['Alpin', 'Alpino', 'Alpine'],
  'Kleine Betriebe': ['Klein und fein', 'Piccolo e grazioso', 'Small and charming'],
  'Hütten und Berggasthöfe': [
    'Hütten und Berggasthöfe',
    'Rifugi e locande di montagna',
    'Huts and mountain inns',
  ],
  'Bäuerliche Welten': ['Bäuerliche Welten', 'Mondo contadino', 'Rural way of life'],
  'Bonus Vacanze': ['Balance', 'Equilibrio', 'Balance'],
  Christkindlmarkt: ['Christkindlmärkte', 'Mercatini di Natale', 'Christmas markets'],
  Sustainability: ['Nachhaltigkeit', 'Sostenibilità', 'Sustainability'],
})

export const badges = typeRows({
  Wellnesshotel: ['Wellnesshotel', 'Hotel benessere', 'Wellness hotel'],
  Familienhotel: ['Familienhotel', 'Hotel per famiglie', 'Family hotel'],
  Bikehotel: ['Bikehotel', 'Hotel per ciclisti', 'Bike hotel'],
  Bauernhof: ['Bauernhof', 'Maso', 'Farm'],
  Behindertengerecht: ['Barrierefrei', 'Accessibile', 'Accessible'],
  Wanderhotel: ['Wanderhotel', 'Hotel per escursionisti', 'Hiking hotel'],
  'Südtirol Privat': ['Südtirol Privat', 'Südtirol Privat', 'Südtirol Privat'],
  Vinumhotel: ['Weinhotel', 'Hotel del vino', 'Wine hotel'],
})

/** What the bits of the masks of activities and points of interest stand for (reference content.md 1.2). */

export const types = tagRows({
  'wellness entspannung': [
    'Wellness und Entspannung',
    'Benessere e relax',
    'Wellness and relaxation',
  ],
  winter: ['Winter', 'Inverno', 'Winter'],
  sommer: ['Sommer', 'Estate', 'Summer'],
  'kultur sehenswürdigkeiten': [
    'Kultur und Sehenswürdigkeiten',
    'Cultura e attrazioni',
    'Culture and sights',
  ],
  anderes: ['Anderes', 'Altro', 'Other'],
  'essen trinken': ['Essen und Trinken', 'Mangiare e bere', 'Eating and drinking'],
  mobilität: ['Mobilität', 'Mobilità', 'Mobility'],
  'geschäfte und dienstleister': [
    'Geschäfte und Dienstleister',
    'Negozi e servizi',
    'Shops and services',
  ],
})

export const activities = tagRows({
  berg: ['Berg', 'Montagna', 'Mountain'],
  radfahren: ['Radfahren', 'Ciclismo', 'Cycling'],
  stadtrundgang: ['Stadtrundgang', 'Giro della città', 'City walk'],
  pferdesport: ['Pferdesport', 'Equitazione', 'Riding'],
  wandern: ['Wandern', 'Escursioni', 'Hiking'],
  'laufen und fitness': ['Laufen und Fitness', 'Corsa e fitness', 'Running and fitness'],
  loipen: ['Loipen', 'Piste da fondo', 'Cross-country trails'],
  rodelbahnen: ['Rodelbahnen', 'Piste da slittino', 'Toboggan runs'],
  piste: ['Pisten', 'Piste da sci', 'Ski slopes'],
  aufstiegsanlagen: ['Aufstiegsanlagen', 'Impianti di risalita', 'Lifts'],
})

export const pois = tagRows({
  'ärzte, apotheken': ['Ärzte, Apotheken', 'Medici, farmacie', 'Doctors, pharmacies'],
  geschäfte: ['Geschäfte', 'Negozi', 'Shops'],
  'kultur und sehenswürdigkeiten': [
    'Kultur und Sehenswürdigkeiten',
    'Cultura e attrazioni',
    'Culture and sights',
  ],
  'nachtleben und unterhaltung': [
    'Nachtleben und Unterhaltung',
    'Vita notturna e svago',
    'Nightlife and entertainment',
  ],
  'öffentliche einrichtungen': [
    'Öffentliche Einrichtungen',
    'Strutture pubbliche',
    'Public facilities',
  ],
  'sport und freizeit': ['Sport und Freizeit', 'Sport e tempo libero', 'Sports and leisure'],
  'verkehr und transport': [
    'Verkehr und Transport',
    'Traffico e trasporti',
    'Traffic and transport',
  ],
  dienstleister: ['Dienstleister', 'Servizi', 'Services'],
  kunsthandwerker: ['Kunsthandwerker', 'Artigiani artistici', 'Artisans'],
  vereine: ['Vereine', 'Associazioni', 'Associations'],
  unternehmen: ['Unternehmen', 'Imprese', 'Companies'],
})

/** What the bits of the mask of articles stand for (reference content.md 1.5). */
export const articleTypes = tagRows({
  basisartikel: ['Basisartikel', 'Articolo di base', 'Basic article'],
  buchtippartikel: ['Buchtipp', 'Consiglio di lettura', 'Book tip'],
  contentartikel: ['Content-Artikel', 'Articolo di contenuto', 'Content article'],
  veranstaltungsartikel: ['Veranstaltungsartikel', 'Articolo su eventi', 'Event article'],
  presseartikel: ['Presseartikel', 'Articolo stampa', 'Press article'],
  rezeptartikel: ['Rezept', 'Ricetta', 'Recipe'],
  reiseveranstalter: ['Reiseveranstalter', 'Operatore turistico', 'Tour operator'],
  b2bartikel: ['B2B-Artikel', 'Articolo B2B', 'B2B article'],
  idmartikel: ['IDM-Artikel', 'Articolo IDM', 'IDM article'],
  specialannouncement: ['Besondere Mitteilung', 'Comunicazione speciale', 'Special announcement'],
  newsfeednoi: ['NOI Newsfeed', 'Newsfeed NOI', 'NOI newsfeed'],
})

/** Where short events take place (reference content.md 1.4). */
export const eventLocations = typeRows({
  NOI: ['NOI Techpark', 'NOI Techpark', 'NOI Techpark'],
  EC: ['Eurac Research', 'Eurac Research', 'Eurac Research'],
  VV: ['Virtual Village', 'Virtual Village', 'Virtual Village'],
  OUT: ['Außerhalb', 'Altrove', 'Elsewhere'],
})

/** One list of types (decision D36a): what stands in code, and what stored tags say. */
export type TypeList = {
  /** Path below `/v1`. */
  readonly path: string
  readonly summary: string
  /** Rows by the value of `Type`; their places are the bits of a mask. */
  readonly masks: Readonly<Record<string, readonly TypeRow[]>>
  /**
   * Rows without a mask, by the value of `Type`: the types of the tags that they are made of. Which bit a
   * deployment means by such a tag is not known, so their Bitmask is 0.
   */
  readonly tagged: Readonly<Record<string, readonly string[]>>
}

/** Every list of types; a new one is one entry here. */
export const typeListsOf = ({ activityPoiTypes }: Naming): readonly TypeList[] => [
  {
    path: activityPoiTypes,
    summary: 'Types of activities and points of interest',
    masks: { Type: types, Activity: activities, Poi: pois },
    tagged: {},
  },
  ...others,
]

const others: readonly TypeList[] = [
  {
    path: 'AccommodationTypes',
    summary: 'Types of accommodations: kinds, categories, boards, themes, badges, features',
    masks: {
      Type: lodgings,
      Category: categories,
      Board: boards,
      Theme: themes,
      Badge: badges,
      SpecialFeature: specialFeatures,
    },
    tagged: {},
  },
  {
    path: 'AccommodationFeatures',
    summary: 'Features of accommodations',
    masks: { SpecialFeature: specialFeatures },
    tagged: { Feature: ['accommodationoption', 'accommodationtitle'] },
  },
  {
    path: 'EventTopics',
    summary: 'Topics of events',
    masks: {},
    tagged: { EventTopic: ['eventtopic'] },
  },
  {
    path: 'EventShortTypes',
    summary: 'Types of short events',
    masks: { EventLocation: eventLocations },
    tagged: { TechnologyFields: ['technologyfields'], CustomTagging: ['customtagging'] },
  },
  {
    path: 'ArticleTypes',
    summary: 'Types of articles',
    masks: { Type: articleTypes },
    tagged: {},
  },
  {
    path: 'VenueTypes',
    summary: 'Types of venues: categories, features, seating plans',
    masks: {},
    tagged: { Category: ['venuecategory'], Feature: ['venuefeature'], SeatType: ['venueseattype'] },
  },
]
