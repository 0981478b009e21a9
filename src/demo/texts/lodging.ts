import type { Phrase, WidePhrase } from './phrase.ts'

/** How accommodations speak of themselves. {name}, {place}, {altitude}, {rooms}, {family}. */

export const openings: readonly Phrase[] = [
  {
    de: 'Im {name} in {place} beginnt der Tag mit dem Blick auf die Berge.',
    it: 'Al {name} di {place} la giornata inizia con la vista sulle montagne.',
    en: 'At {name} in {place} the day begins with a view of the mountains.',
  },
  {
    de: 'Seit drei Generationen empfängt Familie {family} ihre Gäste in {place}.',
    it: 'Da tre generazioni la famiglia {family} accoglie i suoi ospiti a {place}.',
    en: 'For three generations the {family} family has welcomed guests to {place}.',
  },
  {
    de: 'Auf {altitude} Metern, ein wenig über dem Alltag, liegt unser Haus.',
    it: 'La nostra casa si trova a {altitude} metri, un po’ al di sopra della vita di ogni giorno.',
    en: 'Our house stands at {altitude} metres, a little above everyday life.',
  },
  {
    de: 'Wer Ruhe sucht und trotzdem nahe am Ort sein will, ist im {name} richtig.',
    it: 'Chi cerca la quiete senza allontanarsi dal paese, al {name} è nel posto giusto.',
    en: 'If you look for quiet and still want the village close by, {name} is the right place.',
  },
  {
    de: 'Holz, Stein und viel Licht: Das {name} wurde mit Handwerkern aus {place} erneuert.',
    it: 'Legno, pietra e tanta luce: il {name} è stato rinnovato con gli artigiani di {place}.',
    en: 'Wood, stone and plenty of light: {name} was renewed with craftspeople from {place}.',
  },
  {
    de: 'Zwischen Obstwiesen und Waldrand hat Familie {family} ein Zuhause auf Zeit geschaffen.',
    it: 'Tra i frutteti e il bosco la famiglia {family} ha creato una casa per le vacanze.',
    en: 'Between orchards and the edge of the wood the {family} family has made a home for holidays.',
  },
]

export const middles: readonly Phrase[] = [
  {
    de: 'Die {rooms} Zimmer sind mit Zirbenholz eingerichtet, die meisten haben einen Balkon.',
    it: 'Le {rooms} camere sono arredate in legno di cirmolo, quasi tutte con balcone.',
    en: 'The {rooms} rooms are furnished in stone pine, most of them with a balcony.',
  },
  {
    de: 'Am Abend kommt auf den Tisch, was Garten und Nachbarn hergeben.',
    it: 'La sera si porta in tavola quello che danno l’orto e i vicini.',
    en: 'In the evening the table carries what garden and neighbours have to give.',
  },
  {
    de: 'Fahrräder, Rodeln und Wanderstöcke stehen kostenlos bereit.',
    it: 'Biciclette, slittini e bastoncini da trekking sono a disposizione gratuitamente.',
    en: 'Bicycles, sledges and walking poles are there to borrow, free of charge.',
  },
  {
    de: 'Kinder finden Hasen, Heuboden und einen Bach zum Stauen.',
    it: 'I bambini trovano conigli, un fienile e un ruscello da sbarrare.',
    en: 'Children find rabbits, a hayloft and a stream to dam.',
  },
  {
    de: 'Nach der Tour warten Sauna und Ruheraum mit Blick ins Tal.',
    it: 'Dopo l’escursione vi aspettano la sauna e la sala relax con vista sulla valle.',
    en: 'After the tour a sauna and a quiet room look out over the valley.',
  },
  {
    de: 'In der Stube von 1789 knistert der Kachelofen wie eh und je.',
    it: 'Nella stube del 1789 la stufa di maiolica scoppietta come un tempo.',
    en: 'In the parlour of 1789 the tiled stove crackles as it always has.',
  },
]

export const closings: readonly Phrase[] = [
  {
    de: 'Bis zur Bushaltestelle sind es drei Minuten, die Gästekarte gilt auf allen Linien.',
    it: 'La fermata dell’autobus è a tre minuti; la carta ospiti vale su tutte le linee.',
    en: 'The bus stop is three minutes away, and the guest card is valid on every line.',
  },
  {
    de: 'Wanderwege beginnen vor der Tür, die nächste Seilbahn ist in zehn Minuten erreicht.',
    it: 'I sentieri partono davanti a casa e la funivia più vicina è a dieci minuti.',
    en: 'Paths start at the door, and the nearest cable car is ten minutes off.',
  },
  {
    de: 'Ihr Auto laden Sie mit Sonnenstrom vom eigenen Dach.',
    it: 'L’auto si ricarica con l’energia solare del nostro tetto.',
    en: 'You charge your car with solar power from our own roof.',
  },
  {
    de: 'Wir freuen uns, wenn Sie ein paar Tage bleiben – oder gleich wiederkommen.',
    it: 'Saremo felici se rimarrete qualche giorno, o se tornerete presto.',
    en: 'We are glad if you stay a few days, or come back soon.',
  },
  {
    de: 'Im Winter hält der Skibus vor dem Haus.',
    it: 'D’inverno lo skibus si ferma davanti a casa.',
    en: 'In winter the ski bus stops at the house.',
  },
]

/** One sentence for the languages in which only some records speak, and for short descriptions. */
export const shorts: readonly WidePhrase[] = [
  {
    de: 'Ruhig gelegenes Haus in {place} mit Blick ins Tal.',
    it: 'Casa tranquilla a {place} con vista sulla valle.',
    en: 'A quiet house in {place} with a view over the valley.',
    nl: 'Rustig gelegen huis in {place} met uitzicht over het dal.',
    cs: 'Klidný dům v obci {place} s výhledem do údolí.',
    pl: 'Spokojny dom w miejscowości {place} z widokiem na dolinę.',
    fr: 'Maison tranquille à {place} avec vue sur la vallée.',
    ru: 'Тихий дом в {place} с видом на долину.',
  },
  {
    de: 'Familienbetrieb in {place}, nahe an Wanderwegen und Bus.',
    it: 'Azienda familiare a {place}, vicina ai sentieri e all’autobus.',
    en: 'Family-run house in {place}, close to paths and buses.',
    nl: 'Familiebedrijf in {place}, dicht bij wandelpaden en bus.',
    cs: 'Rodinný podnik v obci {place}, blízko stezek a autobusu.',
    pl: 'Rodzinny obiekt w miejscowości {place}, blisko szlaków i autobusu.',
    fr: 'Maison familiale à {place}, proche des sentiers et du bus.',
    ru: 'Семейный дом в {place}, рядом тропы и автобус.',
  },
  {
    de: 'Gemütliche Unterkunft in {place} auf {altitude} m.',
    it: 'Alloggio accogliente a {place} a {altitude} m.',
    en: 'Cosy place to stay in {place} at {altitude} m.',
    nl: 'Gezellig verblijf in {place} op {altitude} m.',
    cs: 'Útulné ubytování v obci {place} ve výšce {altitude} m.',
    pl: 'Przytulny nocleg w miejscowości {place} na wysokości {altitude} m.',
    fr: 'Hébergement chaleureux à {place}, à {altitude} m.',
    ru: 'Уютное жильё в {place} на высоте {altitude} м.',
  },
]

/** Kinds of house by AccoTypeId; {stem} and {ending} make the name. */
export const houseNames: Readonly<Record<string, readonly string[]>> = {
  HotelPension: ['Hotel {stem}{ending}', 'Gasthof {stem}{ending}', 'Hotel zum {stem}{ending}'],
  BedBreakfast: ['Garni {stem}{ending}', 'B&B {stem}{ending}', 'Pension {stem}{ending}'],
  Farm: ['{stem}hof', 'Ferienhof {stem}{ending}', 'Biohof {stem}{ending}'],
  Camping: ['Camping {stem}{ending}', 'Camping am {stem}bach'],
  Youth: ['Jugendherberge {stem}{ending}', 'Hostel {stem}'],
  Mountain: ['{stem}hütte', 'Berggasthof {stem}{ending}', 'Schutzhaus {stem}joch'],
  Notdefined: ['Residence {stem}{ending}', 'Appartements {stem}{ending}', 'Chalet {stem}{ending}'],
}

export const roomNames: readonly Phrase[] = [
  { de: 'Doppelzimmer {stem}', it: 'Camera doppia {stem}', en: 'Double room {stem}' },
  { de: 'Einzelzimmer {stem}', it: 'Camera singola {stem}', en: 'Single room {stem}' },
  { de: 'Familienzimmer {stem}', it: 'Camera familiare {stem}', en: 'Family room {stem}' },
  { de: 'Suite {stem}', it: 'Suite {stem}', en: 'Suite {stem}' },
  { de: 'Ferienwohnung {stem}', it: 'Appartamento {stem}', en: 'Apartment {stem}' },
]

export const roomTexts: readonly Phrase[] = [
  {
    de: '{squareMeters} m² mit Holzboden, Dusche und Blick auf {place}.',
    it: '{squareMeters} m² con pavimento in legno, doccia e vista su {place}.',
    en: '{squareMeters} m² with a wooden floor, a shower and a view of {place}.',
  },
  {
    de: 'Helle {squareMeters} m² mit Balkon nach Süden.',
    it: '{squareMeters} m² luminosi con balcone verso sud.',
    en: 'A bright {squareMeters} m² with a balcony facing south.',
  },
  {
    de: 'Ruhig zum Garten gelegen, {squareMeters} m², mit Sitzecke.',
    it: 'Tranquilla, verso il giardino, {squareMeters} m², con angolo salotto.',
    en: 'Quiet, towards the garden, {squareMeters} m², with a sitting corner.',
  },
]
