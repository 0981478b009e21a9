import { tagRows } from './type-row.ts'

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
