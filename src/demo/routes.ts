import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { randomOf } from './random.ts'
import type { Random } from './random.ts'

/** Pictures for records that have none: landscapes that are drawn from their keys alone. */

const width = 960
const height = 540

type Mood = {
  readonly sky: readonly [top: string, bottom: string]
  readonly sun: string
  readonly ground: readonly string[]
}

const summer: readonly Mood[] = [
  {
    sky: ['#6db3e8', '#eaf6ff'],
    sun: '#fff3b0',
    ground: ['#8fa7c4', '#5f8a7b', '#3f7a4f', '#2f5f3a'],
  },
  {
    sky: ['#f7b267', '#fff0d6'],
    sun: '#ffe08a',
    ground: ['#a48bb0', '#7d6a94', '#5d6b5a', '#3c4a3a'],
  },
  {
    sky: ['#355c7d', '#f8b195'],
    sun: '#ffd7a8',
    ground: ['#6c5b7b', '#4f4a68', '#39415a', '#222b3f'],
  },
  {
    sky: ['#9ad0c2', '#f4fbf4'],
    sun: '#ffffff',
    ground: ['#9bb7b5', '#6f9a7a', '#4c8055', '#335c3b'],
  },
]

const winter: readonly Mood[] = [
  {
    sky: ['#8ec5ea', '#f3f9ff'],
    sun: '#ffffff',
    ground: ['#c3d3e6', '#dfe9f4', '#f1f6fb', '#ffffff'],
  },
  {
    sky: ['#54709c', '#e7c6d6'],
    sun: '#fff1dc',
    ground: ['#8d9cc0', '#b6c3dc', '#dbe4f0', '#f6f9fd'],
  },
]

/**
 * Draws the picture of a key such as `winter-3f2a-1`, as SVG of less than 4 KB. Every key has a
 * picture. Records state their keys; the first word of a key determines season and foreground.
 */
export function imageSvg(key: string): string {
  const random = randomOf('image', key)
  const kind = key.split('-')[0] ?? ''
  const mood = random.pick(['ski', 'winter'].includes(kind) ? winter : summer)
  const ridges = mood.ground.map((colour, index) => ridge(random, { colour, depth: index / 3 }))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">`,
    '<defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1">',
    `<stop stop-color="${mood.sky[0]}"/><stop offset="1" stop-color="${mood.sky[1]}"/>`,
    '</linearGradient></defs>',
    `<rect width="${width}" height="${height}" fill="url(#sky)"/>`,
    `<circle cx="${random.between(120, 840)}" cy="${random.between(70, 190)}" r="${random.between(28, 54)}" fill="${mood.sun}"/>`,
    ...ridges,
    kind === 'sky' ? weather(key.slice(4)) : foreground(random, kind),
    '</svg>',
  ].join('')
}

/** Draws a ridge of mountains: high and jagged in the distance, low and smooth nearby. */
function ridge(
  random: Random,
  { colour, depth }: { readonly colour: string; readonly depth: number },
): string {
  const base = 210 + depth * 240
  const rise = 150 * (1 - depth) + 24
  const points = Array.from({ length: 13 }, (_, index) => {
    const up = index % 2 === 0 ? random.next() * 0.35 : 0.4 + random.next() * 0.6
    return `${index * 80},${Math.round(base - up * rise)}`
  })
  return `<polygon points="0,${height} ${points.join(' ')} ${width},${height}" fill="${colour}"/>`
}

function foreground(random: Random, kind: string): string {
  const x = random.between(200, 700)
  switch (kind) {
    case 'house':
    case 'room':
      return house(x)
    case 'webcam':
    case 'ski':
      return ''
    default:
      return Array.from({ length: 7 }, () =>
        tree(random.between(20, 940), random.between(430, 510)),
      ).join('')
  }
}

function house(x: number): string {
  return [
    `<rect x="${x}" y="395" width="130" height="80" fill="#f5efe2"/>`,
    `<polygon points="${x - 18},398 ${x + 65},338 ${x + 148},398" fill="#7b4a2d"/>`,
    ...[18, 55, 92].map(
      (dx) => `<rect x="${x + dx}" y="418" width="20" height="24" fill="#4a6a85"/>`,
    ),
  ].join('')
}

/**
 * Draws the weather of a code: from `a` for a cloudless sky, to `f` and `g` for rain, and `h` and
 * `i` for snow.
 */
function weather(code: string): string {
  if (code === 'a') return ''
  const drops = [0, 1, 2, 3].map((index) => 400 + index * 45)
  const rain = drops.map((x) => `<path d="M${x} 260l-14 44" stroke="#2f6fb0" stroke-width="7"/>`)
  const snow = drops.map((x) => `<circle cx="${x}" cy="282" r="9" fill="#fff"/>`)
  const falling = 'fgk'.includes(code) ? rain : 'hi'.includes(code) ? snow : []
  return `${cloud(430)}${falling.join('')}`
}

function cloud(x: number): string {
  const puffs = [0, 46, 96].map(
    (dx, index) => `<circle cx="${x + dx}" cy="${190 - (index % 2) * 26}" r="44"/>`,
  )
  return `<g fill="#fff" opacity=".9">${puffs.join('')}</g>`
}

function tree(x: number, y: number): string {
  return `<polygon points="${x},${y - 62} ${x - 18},${y} ${x + 18},${y}" fill="#244a31"/>`
}

const imageOperation = {
  operationId: 'getDemoImage',
  summary: 'A drawn picture of the fictional region',
  description: 'Pictures for the records of the demo, drawn from their key.',
  tags: ['Demo'],
  params: Type.Object({
    key: Type.String({
      maxLength: 100,
      description: 'What the picture shows; any text',
      examples: ['example'],
    }),
  }),
  response: {
    200: { description: 'The picture', content: { 'image/svg+xml': { schema: Type.String() } } },
    404: Type.Ref('ProblemDetails'),
  },
}

const oneDay = 86_400

/** Serves the pictures of the demo's records. Registered only in demo mode. */
export const demoRoutes: FastifyPluginAsyncTypebox = (app) => {
  app.get('/demo/images/:key.svg', { schema: imageOperation }, async (request, reply) => {
    void reply.header('cache-control', `public, max-age=${String(oneDay)}`)
    // The picture must not run anything, wherever it is shown.
    void reply.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
    return reply.type('image/svg+xml').send(imageSvg(request.params.key))
  })
  return Promise.resolve()
}
