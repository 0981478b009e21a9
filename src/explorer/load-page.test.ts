import { expect, it } from 'vitest'
import { preloadLinks } from './load-page.ts'

const manifest = {
  '_start.js': { file: 'assets/start.js', css: ['assets/start.css'] },
  'src/shell/Shell.svelte': { file: 'assets/shell.js', imports: ['_start.js', '_menu.js'] },
  '_menu.js': { file: 'assets/menu.js', css: ['assets/menu.css'] },
  '_design.js': { file: 'assets/design.js', css: ['assets/design.css'] },
  'src/timeseries/TimeseriesView.svelte': {
    file: 'assets/timeseries.js',
    // Chunks import each other, and the entry as well.
    imports: ['_start.js', '_design.js', '_menu.js', '_map.js'],
    css: ['assets/timeseries.css'],
    dynamicImports: ['_maplibre.js'],
  },
  '_map.js': {
    file: 'assets/map.js',
    imports: ['_places.js', 'src/timeseries/TimeseriesView.svelte'],
    css: ['assets/map.css'],
  },
  '_places.js': { file: 'assets/places.js' },
  '_maplibre.js': { file: 'assets/maplibre.js', css: ['assets/maplibre.css'] },
}

const html = `
  <script type="module" crossorigin src="/assets/start.js"></script>
  <link rel="modulepreload" crossorigin href="/assets/design.js">
  <link rel="stylesheet" crossorigin href="/assets/start.css">
  <link rel="stylesheet" crossorigin href="/assets/design.css">`

it('lists the files that a view needs and the page does not load, dependencies first', () => {
  const script = (name: string) =>
    `<link rel="modulepreload" crossorigin href="/assets/${name}.js">`
  const style = (name: string) => `<link rel="stylesheet" crossorigin href="/assets/${name}.css">`
  expect(preloadLinks({ manifest, html }, 'timeseries/TimeseriesView.svelte')).toEqual([
    ...[script('menu'), script('shell'), script('places'), script('map'), script('timeseries')],
    ...[style('menu'), style('map'), style('timeseries')],
  ])
})

it('lists only the files of the shell for a view that is missing from the build', () => {
  expect(preloadLinks({ manifest, html }, 'docs/DocsView.svelte')).toHaveLength(3)
  expect(preloadLinks({ manifest: {}, html }, 'timeseries/TimeseriesView.svelte')).toEqual([])
})
