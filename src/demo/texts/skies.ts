import type { TagRow } from './tags.ts'

/** What the sky looks like, by the letter of its picture. */
export const skies: readonly TagRow[] = [
  ['a', 'wolkenlos', 'sereno', 'cloudless'],
  ['b', 'heiter', 'poco nuvoloso', 'fair'],
  ['c', 'wolkig', 'nuvoloso', 'cloudy'],
  ['d', 'stark bewölkt', 'molto nuvoloso', 'mostly cloudy'],
  ['e', 'bedeckt', 'coperto', 'overcast'],
  ['f', 'leichter Regen', 'pioggia debole', 'light rain'],
  ['g', 'Regen', 'pioggia', 'rain'],
  ['h', 'leichter Schneefall', 'neve debole', 'light snow'],
  ['i', 'Schneefall', 'neve', 'snow'],
  ['j', 'Nebel', 'nebbia', 'fog'],
  ['k', 'Gewitter', 'temporale', 'thunderstorm'],
]

export const evolutionTitles: readonly string[] = [
  'High pressure over the Alps',
  'A front comes in from the west',
  'Changeable with breaks',
]

export const evolutions: readonly string[] = [
  'The days to come stay mild and mostly dry.',
  'Clouds thicken from the west, with snow above 1,400 metres.',
  'Sun and clouds take turns; fog in the Etsch valley in the mornings.',
]
