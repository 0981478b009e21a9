import type { Phrase, WidePhrase } from './phrase.ts'

/** Points of interest and places to eat. {mark} is a landmark, {place} a village, {stem} a name. */
export type SightKind = {
  readonly tags: readonly string[]
  readonly names: readonly Phrase[]
  readonly texts: readonly Phrase[]
}

export const sightKinds: readonly SightKind[] = [
  {
    tags: ['culture attractions', 'museums', 'museums culture'],
    names: [
      { de: 'Museum {mark}', it: 'Museo {mark}', en: '{mark} Museum' },
      { de: 'Heimatmuseum {place}', it: 'Museo civico di {place}', en: '{place} local museum' },
    ],
    texts: [
      {
        de: 'Vom Pflug bis zur Funkstation: ein Haus voller Dinge, die in {place} gebraucht wurden.',
        it: 'Dall’aratro alla radio: una casa piena di oggetti che a {place} si usavano davvero.',
        en: 'From the plough to the radio set: a house full of things that {place} once needed.',
      },
      {
        de: 'Die Ausstellung erzählt, wie das Tal seinen Weg zwischen Nord und Süd fand.',
        it: 'La mostra racconta come la valle trovò la sua strada tra nord e sud.',
        en: 'The exhibition tells how the valley found its way between north and south.',
      },
    ],
  },
  {
    tags: ['culture attractions', 'forts castles'],
    names: [
      { de: 'Burg {stem}eck', it: 'Castel {stem}eck', en: '{stem}eck Castle' },
      { de: 'Schloss {stem}stein', it: 'Castello {stem}stein', en: '{stem}stein Castle' },
    ],
    texts: [
      {
        de: 'Der Bergfried über {place} stammt aus dem 13. Jahrhundert, der Rosengarten von heute.',
        it: 'Il mastio sopra {place} è del Duecento, il roseto è di oggi.',
        en: 'The keep above {place} dates from the thirteenth century, the rose garden from today.',
      },
      {
        de: 'In den Sälen spielen im Sommer Quartette, im Keller reift der Wein.',
        it: 'D’estate nelle sale suonano quartetti, in cantina riposa il vino.',
        en: 'Quartets play in the halls in summer, and wine ripens in the cellar.',
      },
    ],
  },
  {
    tags: ['culture attractions', 'churches'],
    names: [
      { de: 'Pfarrkirche {place}', it: 'Parrocchiale di {place}', en: '{place} parish church' },
      { de: 'Kapelle {mark}', it: 'Cappella {mark}', en: '{mark} chapel' },
    ],
    texts: [
      {
        de: 'Spätgotischer Bau mit einem Flügelaltar und Fresken, die erst 1987 entdeckt wurden.',
        it: 'Edificio tardogotico con un altare a portelle e affreschi scoperti solo nel 1987.',
        en: 'A late Gothic building with a winged altar and frescoes found only in 1987.',
      },
      {
        de: 'Der Zwiebelturm ist das Wahrzeichen von {place}.',
        it: 'Il campanile a cipolla è il simbolo di {place}.',
        en: 'The onion tower is the landmark of {place}.',
      },
    ],
  },
  {
    tags: ['leisure experience', 'bathing lakes outdoor pools'],
    names: [
      { de: 'Naturbad {mark}', it: 'Lido {mark}', en: '{mark} bathing lake' },
      { de: 'Freibad {place}', it: 'Piscina di {place}', en: '{place} outdoor pool' },
    ],
    texts: [
      {
        de: 'Klares Wasser, eine große Wiese und Schatten unter alten Kastanien.',
        it: 'Acqua limpida, un grande prato e ombra sotto vecchi castagni.',
        en: 'Clear water, a large meadow, and shade under old chestnut trees.',
      },
      {
        de: 'Im Juli erreicht der See 24 Grad, im Januar trägt er Eisläufer.',
        it: 'In luglio il lago arriva a 24 gradi, in gennaio regge i pattinatori.',
        en: 'In July the lake reaches 24 degrees, in January it carries skaters.',
      },
    ],
  },
  {
    tags: ['shops and service providers', 'wineries'],
    names: [
      { de: 'Weingut {stem}berg', it: 'Tenuta {stem}berg', en: '{stem}berg Winery' },
      { de: 'Kellerei {place}', it: 'Cantina {place}', en: '{place} Winery' },
    ],
    texts: [
      {
        de: 'Vernatsch, Lagrein und Weißburgunder von Hängen zwischen 300 und 700 Metern.',
        it: 'Schiava, Lagrein e Pinot bianco da pendii tra i 300 e i 700 metri.',
        en: 'Schiava, Lagrein and Pinot Blanc from slopes between 300 and 700 metres.',
      },
      {
        de: 'Verkostung im Gewölbe, auf Wunsch mit Führung durch die Lagen.',
        it: 'Degustazione nella cantina a volta, su richiesta con visita ai vigneti.',
        en: 'Tastings in the vault, on request with a walk through the vineyards.',
      },
    ],
  },
  {
    tags: ['mobility', 'public transport ticket vending points'],
    names: [
      { de: 'Mobilitätspunkt {place}', it: 'Punto mobilità {place}', en: '{place} mobility point' },
    ],
    texts: [
      {
        de: 'Fahrkarten, Auskunft und ein überdachter Platz für Fahrräder.',
        it: 'Biglietti, informazioni e un posto coperto per le biciclette.',
        en: 'Tickets, information and a covered place for bicycles.',
      },
    ],
  },
]

export const gastronomyKinds: readonly SightKind[] = [
  {
    tags: ['gastronomy', 'eating drinking', 'restaurants'],
    names: [
      { de: 'Restaurant {stem}stube', it: 'Ristorante {stem}stube', en: '{stem}stube Restaurant' },
      { de: 'Wirtshaus {stem}', it: 'Trattoria {stem}', en: '{stem} Tavern' },
    ],
    texts: [
      {
        de: 'Schlutzkrapfen, Gerstsuppe und was die Woche sonst noch bringt.',
        it: 'Mezzelune agli spinaci, zuppa d’orzo e quello che offre la settimana.',
        en: 'Filled pasta, barley soup and whatever else the week brings.',
      },
      {
        de: 'Die Küche von {place} mit einem Blick über den Brenner und einen nach Sizilien.',
        it: 'La cucina di {place} con uno sguardo oltre il Brennero e uno verso la Sicilia.',
        en: 'The cooking of {place}, with one eye across the Brenner and one on Sicily.',
      },
    ],
  },
  {
    tags: ['gastronomy', 'eating drinking', 'pizzerias'],
    names: [{ de: 'Pizzeria {mark}', it: 'Pizzeria {mark}', en: 'Pizzeria {mark}' }],
    texts: [
      {
        de: 'Teig mit 48 Stunden Ruhe, Holzofen und im Sommer Tische unter der Pergola.',
        it: 'Impasto con 48 ore di riposo, forno a legna e d’estate tavoli sotto la pergola.',
        en: 'Dough rested for 48 hours, a wood oven, and tables under the pergola in summer.',
      },
    ],
  },
  {
    tags: ['gastronomy', 'eating drinking', 'mountain huts'],
    names: [
      { de: '{mark}-Hütte', it: 'Rifugio {mark}', en: '{mark} hut' },
      { de: 'Alm {stem}boden', it: 'Malga {stem}boden', en: '{stem}boden alp' },
    ],
    texts: [
      {
        de: 'Kaiserschmarrn auf der Terrasse und zwölf Lager unter dem Dach.',
        it: 'Frittata dolce in terrazza e dodici posti letto sotto il tetto.',
        en: 'Shredded pancake on the terrace and twelve bunks under the roof.',
      },
      {
        de: 'Käse von den eigenen Kühen; der Weg hierher dauert von {place} zwei Stunden.',
        it: 'Formaggio delle proprie mucche; da {place} si arriva in due ore.',
        en: 'Cheese from their own cows; the way up from {place} takes two hours.',
      },
    ],
  },
  {
    tags: ['gastronomy', 'eating drinking', 'wine bars'],
    names: [{ de: 'Vinothek {stem}', it: 'Enoteca {stem}', en: '{stem} Wine Bar' }],
    texts: [
      {
        de: 'Achtzig Weine offen, dazu Speck, Brot und lange Gespräche.',
        it: 'Ottanta vini al calice, con speck, pane e lunghe chiacchiere.',
        en: 'Eighty wines by the glass, with speck, bread and long talks.',
      },
    ],
  },
  {
    tags: ['gastronomy', 'eating drinking', 'ice cream parlor'],
    names: [{ de: 'Eisdiele {stem}', it: 'Gelateria {stem}', en: '{stem} Ice Cream' }],
    texts: [
      {
        de: 'Eis aus Heumilch und Früchten vom Nachbarn.',
        it: 'Gelato di latte fieno e frutta del vicino.',
        en: 'Ice cream from hay milk and the neighbour’s fruit.',
      },
    ],
  },
]

export const shorts: readonly WidePhrase[] = [
  {
    de: 'Einen Besuch in {place} wert.',
    it: 'Merita una visita a {place}.',
    en: 'Worth a visit in {place}.',
    nl: 'Een bezoek aan {place} waard.',
    cs: 'Stojí za návštěvu v obci {place}.',
    pl: 'Warto odwiedzić w miejscowości {place}.',
    fr: 'Mérite une visite à {place}.',
    ru: 'Стоит посетить в {place}.',
  },
  {
    de: 'Treffpunkt für Gäste und Einheimische in {place}.',
    it: 'Punto d’incontro per ospiti e abitanti di {place}.',
    en: 'A meeting place for guests and locals in {place}.',
    nl: 'Ontmoetingsplek voor gasten en bewoners in {place}.',
    cs: 'Místo setkání hostů a místních v obci {place}.',
    pl: 'Miejsce spotkań gości i mieszkańców w {place}.',
    fr: 'Lieu de rencontre des visiteurs et des habitants à {place}.',
    ru: 'Место встреч гостей и жителей в {place}.',
  },
]
