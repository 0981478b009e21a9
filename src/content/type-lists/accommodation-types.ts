import { typeRows } from './type-row.ts'

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
