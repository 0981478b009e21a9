import { wordsOf } from '../intl.ts'

const { number, plural } = wordsOf('en')

export const map = {
  loading: 'The map is being loaded',
  ownShapes: 'Outlines: this hub',
  tilesFail: 'The background map cannot be loaded.',
  zoom: { label: 'Zoom', in: 'Zoom in', out: 'Zoom out', whole: 'Show everything' },
  gestures: {
    'CooperativeGesturesHandler.WindowsHelpText': 'Hold Ctrl and scroll to zoom the map',
    'CooperativeGesturesHandler.MacHelpText': 'Hold ⌘ and scroll to zoom the map',
    'CooperativeGesturesHandler.MobileHelpText': 'Move the map with two fingers',
    'Map.Title': 'Map: arrow keys move it, plus and minus zoom',
    'ScaleControl.Meters': 'm',
    'ScaleControl.Kilometers': 'km',
  },
  missing: {
    webgl: {
      title: 'No map in this browser',
      body: 'It cannot draw maps (WebGL 2 is missing or switched off). Everything on the map is also in the list.',
    },
    load: {
      title: 'The map could not be loaded',
      body: 'Check your connection and try again. Everything on the map is also in the list.',
    },
    again: 'Try again',
  },
  place: (name: string) => `Map with the place of ${name}`,
  dataset: {
    label: (name: string) => `Map: ${name}`,
    shown: (count: number) => plural(count, { one: '# place', other: '# places' }),
    loading: (count: number) => `${number(count)} loaded …`,
    withoutPlace: (count: number) =>
      plural(count, { one: '# record has no place', other: '# records have no place' }),
    ofView: (count: number) => plural(count, { one: '# place in view', other: '# places in view' }),
    tooMany: (shown: number) => `The first ${number(shown)} of what is in view: zoom in to see all`,
    inView: 'In view',
    moreInView: (count: number) => `and ${number(count)} more: zoom in to list them`,
    nothingInView: 'Nothing is in view. Move the map or show everything.',
    open: 'Open',
    closeCard: 'Close',
    untitled: 'Unnamed',
  },
  area: {
    label: 'Area',
    box: 'Draw a rectangle',
    fields: 'Type in the area',
    remove: 'Remove the area',
    hint: 'Drag from corner to corner. Escape ends it.',
    boxed:
      'Stations are chosen by the rectangle around the shape: the API knows no other for them.',
    done: 'Only records in the area are shown.',
    north: 'North',
    south: 'South',
    west: 'West',
    east: 'East',
    apply: 'Apply',
    faults: {
      latitude: 'A number from −90 to 90',
      longitude: 'A number from −180 to 180',
      order: 'South must be below north',
      sides: 'West must be left of east',
    },
    handles: {
      move: 'Move the area with the arrow keys',
      corner: (index: number) => `Corner ${number(index)}: move it with the arrow keys`,
    },
  },
  live: {
    measure: 'What is measured',
    legend: 'Colours',
    upTo: (from: string, to: string) => `${from} to ${to}`,
    stale: 'Older than it should be',
    none: 'No value',
    renewed: (when: string) => `Updated ${when}, again every 30 seconds`,
    table: 'Values as a table',
    station: 'Station',
    value: 'Value',
    time: 'Measured',
    state: 'State',
    states: { fresh: 'Fresh', late: 'Late', stale: 'Stale', silent: 'Silent', none: 'No value' },
    more: (count: number) => `and ${number(count)} more`,
  },
  events: {
    label: 'Map of the events',
    legend: 'Colours and symbols',
    list: 'Events in view',
  },
}

export type MapMessages = typeof map
