/**
 * The municipalities of the region: real names at roughly their real positions, so that the demo can
 * be laid over any map. Shapes, people and everything in them are made up.
 */

export const regionNames = {
  vinschgau: { de: 'Vinschgau', it: 'Val Venosta', en: 'Vinschgau Valley' },
  meran: { de: 'Meran und Umgebung', it: 'Merano e dintorni', en: 'Meran and environs' },
  bozen: { de: 'Bozen und Umgebung', it: 'Bolzano e dintorni', en: 'Bolzano and environs' },
  weinstrasse: { de: 'Südliche Weinstraße', it: 'Strada del Vino', en: 'Southern Wine Road' },
  schlern: { de: 'Schlern und Gröden', it: 'Sciliar e Val Gardena', en: 'Schlern and Val Gardena' },
  eisacktal: { de: 'Eisacktal', it: 'Valle Isarco', en: 'Eisack Valley' },
  wipptal: { de: 'Wipptal', it: 'Alta Valle Isarco', en: 'Wipp Valley' },
  pustertal: { de: 'Pustertal', it: 'Val Pusteria', en: 'Puster Valley' },
  gadertal: { de: 'Gadertal', it: 'Val Badia', en: 'Badia Valley' },
} as const

export type RegionKey = keyof typeof regionNames

export type Place = {
  readonly key: string
  readonly de: string
  readonly it: string
  readonly longitude: number
  readonly latitude: number
  /** Metres above the sea, of the village. */
  readonly altitude: number
  readonly zip: string
  /** How much is going on there, compared with a village: 1 to 40. */
  readonly weight: number
  readonly region: RegionKey
}

type Row = readonly [
  names: string,
  longitude: number,
  latitude: number,
  altitude: number,
  zip: string,
  weight: number,
]

const rows: Readonly<Record<RegionKey, readonly Row[]>> = {
  vinschgau: [
    ['Graun|Curon', 10.54, 46.81, 1500, '39027', 2],
    ['Mals|Malles', 10.55, 46.69, 1050, '39024', 4],
    ['Taufers im Münstertal|Tubre', 10.46, 46.65, 1240, '39020', 1],
    ['Schluderns|Sluderno', 10.59, 46.66, 920, '39020', 2],
    ['Prad am Stilfserjoch|Prato allo Stelvio', 10.59, 46.62, 915, '39026', 2],
    ['Stilfs|Stelvio', 10.56, 46.55, 1310, '39029', 2],
    ['Laas|Lasa', 10.7, 46.62, 870, '39023', 2],
    ['Schlanders|Silandro', 10.77, 46.63, 720, '39028', 5],
    ['Martell|Martello', 10.78, 46.54, 1310, '39020', 1],
    ['Latsch|Laces', 10.86, 46.62, 640, '39021', 3],
    ['Kastelbell-Tschars|Castelbello-Ciardes', 10.92, 46.63, 590, '39020', 2],
    ['Schnals|Senales', 10.9, 46.7, 1330, '39020', 2],
  ],
  meran: [
    ['Naturns|Naturno', 11.0, 46.65, 530, '39025', 4],
    ['Partschins|Parcines', 11.07, 46.69, 630, '39020', 3],
    ['Algund|Lagundo', 11.12, 46.68, 350, '39022', 4],
    ['Tirol|Tirolo', 11.15, 46.7, 590, '39019', 5],
    ['Schenna|Scena', 11.19, 46.69, 600, '39017', 5],
    ['Meran|Merano', 11.16, 46.67, 325, '39012', 24],
    ['Marling|Marlengo', 11.13, 46.65, 360, '39020', 3],
    ['Lana|Lana', 11.15, 46.62, 310, '39011', 8],
    ['St. Pankraz|San Pancrazio', 11.08, 46.59, 735, '39010', 1],
    ['Ulten|Ultimo', 10.99, 46.54, 1190, '39016', 2],
    ['Laurein|Lauregno', 11.06, 46.47, 1150, '39040', 1],
    ['Moos in Passeier|Moso in Passiria', 11.16, 46.84, 1010, '39013', 2],
    ['St. Leonhard in Passeier|San Leonardo in Passiria', 11.25, 46.81, 690, '39015', 3],
    ['St. Martin in Passeier|San Martino in Passiria', 11.23, 46.77, 600, '39010', 2],
    ['Hafling|Avelengo', 11.23, 46.65, 1290, '39010', 2],
    ['Vöran|Verano', 11.22, 46.61, 1200, '39010', 1],
    ['Nals|Nalles', 11.2, 46.55, 330, '39010', 2],
  ],
  bozen: [
    ['Bozen|Bolzano', 11.35, 46.5, 262, '39100', 40],
    ['Leifers|Laives', 11.34, 46.43, 255, '39055', 8],
    ['Terlan|Terlano', 11.25, 46.53, 250, '39018', 3],
    ['Mölten|Meltina', 11.26, 46.59, 1140, '39010', 1],
    ['Jenesien|San Genesio', 11.33, 46.54, 1090, '39050', 2],
    ['Sarntal|Sarentino', 11.36, 46.65, 960, '39058', 4],
    ['Ritten|Renon', 11.46, 46.54, 1150, '39054', 5],
    ['Karneid|Cornedo', 11.44, 46.49, 500, '39053', 2],
    ['Deutschnofen|Nova Ponente', 11.42, 46.41, 1360, '39050', 3],
    ['Welschnofen|Nova Levante', 11.54, 46.43, 1180, '39056', 3],
    ['Tiers|Tires', 11.53, 46.47, 1030, '39050', 1],
  ],
  weinstrasse: [
    ['Eppan|Appiano', 11.26, 46.46, 410, '39057', 8],
    ['Kaltern|Caldaro', 11.24, 46.41, 425, '39052', 6],
    ['Tramin|Termeno', 11.24, 46.35, 276, '39040', 3],
    ['Auer|Ora', 11.3, 46.35, 240, '39040', 3],
    ['Neumarkt|Egna', 11.27, 46.31, 214, '39044', 4],
    ['Kurtatsch|Cortaccia', 11.22, 46.31, 333, '39040', 2],
    ['Salurn|Salorno', 11.22, 46.24, 224, '39040', 2],
    ['Aldein|Aldino', 11.36, 46.37, 1220, '39040', 1],
    ['Truden|Trodena', 11.35, 46.32, 1130, '39040', 1],
  ],
  schlern: [
    ['Völs am Schlern|Fiè allo Sciliar', 11.5, 46.52, 880, '39050', 3],
    ['Kastelruth|Castelrotto', 11.56, 46.57, 1060, '39040', 6],
    ['St. Ulrich|Ortisei', 11.67, 46.57, 1240, '39046', 6],
    ['St. Christina|Santa Cristina', 11.72, 46.56, 1430, '39047', 3],
    ['Wolkenstein|Selva', 11.76, 46.55, 1560, '39048', 5],
  ],
  eisacktal: [
    ['Barbian|Barbiano', 11.52, 46.6, 840, '39040', 1],
    ['Klausen|Chiusa', 11.57, 46.64, 525, '39043', 4],
    ['Villnöß|Funes', 11.68, 46.64, 1130, '39040', 2],
    ['Feldthurns|Velturno', 11.6, 46.67, 850, '39040', 2],
    ['Brixen|Bressanone', 11.66, 46.72, 560, '39042', 16],
    ['Vahrn|Varna', 11.63, 46.74, 670, '39040', 3],
    ['Lüsen|Luson', 11.77, 46.75, 960, '39040', 1],
    ['Natz-Schabs|Naz-Sciaves', 11.67, 46.77, 770, '39040', 2],
    ['Mühlbach|Rio di Pusteria', 11.67, 46.8, 780, '39037', 3],
    ['Vintl|Vandoies', 11.72, 46.82, 755, '39030', 2],
  ],
  wipptal: [
    ['Franzensfeste|Fortezza', 11.61, 46.79, 750, '39045', 1],
    ['Freienfeld|Campo di Trens', 11.49, 46.87, 940, '39040', 2],
    ['Sterzing|Vipiteno', 11.43, 46.9, 950, '39049', 6],
    ['Ratschings|Racines', 11.32, 46.88, 1290, '39040', 4],
    ['Pfitsch|Val di Vizze', 11.55, 46.93, 1420, '39040', 2],
    ['Brenner|Brennero', 11.45, 46.95, 1100, '39041', 2],
  ],
  pustertal: [
    ['Terenten|Terento', 11.78, 46.83, 1210, '39030', 2],
    ['Kiens|Chienes', 11.84, 46.81, 785, '39030', 2],
    ['St. Lorenzen|San Lorenzo di Sebato', 11.9, 46.78, 810, '39030', 3],
    ['Bruneck|Brunico', 11.94, 46.8, 838, '39031', 14],
    ['Gais|Gais', 11.95, 46.84, 840, '39030', 2],
    ['Sand in Taufers|Campo Tures', 11.95, 46.92, 865, '39032', 5],
    ['Mühlwald|Selva dei Molini', 11.85, 46.89, 1230, '39030', 1],
    ['Ahrntal|Valle Aurina', 12.0, 46.99, 1050, '39030', 4],
    ['Prettau|Predoi', 12.11, 47.04, 1475, '39030', 1],
    ['Rasen-Antholz|Rasun-Anterselva', 12.08, 46.84, 1030, '39030', 3],
    ['Olang|Valdaora', 12.03, 46.75, 1050, '39030', 3],
    ['Welsberg-Taisten|Monguelfo-Tesido', 12.11, 46.76, 1090, '39035', 2],
    ['Gsies|Valle di Casies', 12.2, 46.81, 1210, '39030', 2],
    ['Prags|Braies', 12.13, 46.71, 1220, '39030', 2],
    ['Toblach|Dobbiaco', 12.22, 46.73, 1240, '39034', 4],
    ['Innichen|San Candido', 12.28, 46.73, 1175, '39038', 4],
    ['Sexten|Sesto', 12.35, 46.7, 1310, '39030', 3],
  ],
  gadertal: [
    ['Enneberg|Marebbe', 11.92, 46.7, 1285, '39030', 3],
    ['St. Martin in Thurn|San Martino in Badia', 11.86, 46.68, 1135, '39030', 1],
    ['Wengen|La Valle', 11.92, 46.65, 1350, '39030', 1],
    ['Abtei|Badia', 11.89, 46.61, 1325, '39036', 4],
    ['Corvara|Corvara', 11.87, 46.55, 1570, '39033', 4],
  ],
}

const toPlace = (
  region: RegionKey,
  [names, longitude, latitude, altitude, zip, weight]: Row,
): Place => {
  const [de = names, it = de] = names.split('|')
  const key = de.toLowerCase().replaceAll(/[^a-zäöüß]+/g, '-')
  return { key, de, it, longitude, latitude, altitude, zip, weight, region }
}

const regionKeys: readonly RegionKey[] = [
  ...(['vinschgau', 'meran', 'bozen', 'weinstrasse', 'schlern'] as const),
  ...(['eisacktal', 'wipptal', 'pustertal', 'gadertal'] as const),
]

/** All municipalities, region by region. */
export const places: readonly Place[] = regionKeys.flatMap((region) =>
  rows[region].map((row) => toPlace(region, row)),
)

export { regionKeys }
