import fc from 'fast-check'
import jsonld from 'jsonld'
import { Parser, Writer } from 'n3'
import type { Quad } from 'n3'
import { RdfXmlParser } from 'rdfxml-streaming-parser'
import { describe, expect, it, vi } from 'vitest'
import {
  article,
  oddities,
  parking,
  publication,
  publicUrl,
  rooms,
  traffic,
} from '../../../test/fixtures/catalogue-datasets.ts'
import type { Dataset } from '../schemas.ts'
import { linkedData } from './index.ts'

const source = { publicUrl, publication, extent: article.extent, title: 'Dolomites' }

/** Returns the statements of a graph in the canonical order of RDF Dataset Canonicalization. */
async function canonized(quads: string): Promise<readonly string[]> {
  const options = { inputFormat: 'application/n-quads', algorithm: 'RDFC-1.0' } as const
  const given = Object.assign<jsonld.Options.Normalize, object>({}, options)
  const text: unknown = await Reflect.apply(jsonld.canonize, jsonld, [quads, given])
  return String(text).trim().split('\n')
}

const toQuads = (quads: readonly Quad[]) =>
  new Writer({ format: 'N-Quads' }).quadsToString([...quads])

async function readJsonLd(written: string): Promise<string> {
  const document: jsonld.JsonLdDocument = JSON.parse(written)
  const options = { format: 'application/n-quads', safe: true } as const
  const quads: unknown = await jsonld.toRDF(document, options)
  if (typeof quads !== 'string') throw new Error('JSON-LD was not read as N-Quads.')
  return quads
}

function readRdfXml(written: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const quads: Quad[] = []
  const parser = new RdfXmlParser({ baseIRI: 'http://base.test/' })
  parser.on('data', (quad: Quad) => quads.push(quad))
  parser.on('error', reject)
  parser.on('end', () => {
    resolve(toQuads(quads))
  })
  parser.write(written)
  parser.end()
  return promise
}

/** Returns the statements of all three forms, each parsed by a different library. */
async function readAll(datasets: readonly Dataset[]) {
  const written = linkedData({ ...source, datasets })
  const turtle = toQuads(new Parser().parse(await written({ form: 'turtle' })))
  return {
    jsonLd: await canonized(await readJsonLd(await written({ form: 'json-ld' }))),
    turtle: await canonized(turtle),
    rdfXml: await canonized(await readRdfXml(await written({ form: 'rdf-xml' }))),
  }
}

describe('The RDF formats of the catalogue', () => {
  it.each([
    ['datasets of every kind', [article, rooms, parking, traffic]],
    ['odd values', oddities],
    ['nothing', []],
  ])('contain the same statements for %s', async (_name, datasets) => {
    const { jsonLd, turtle, rdfXml } = await readAll(datasets)
    expect(jsonLd.length).toBeGreaterThan(20)
    expect(turtle).toEqual(jsonLd)
    expect(rdfXml).toEqual(jsonLd)
  })

  it('contain the same statements for any text', async () => {
    const any = fc.string({ unit: 'binary', minLength: 1 })
    await fc.assert(
      fc.asyncProperty(any, any, any, async (name, licence, self) => {
        const title = { de: name, it: '', en: licence }
        const links = { self: `${publicUrl}/${self}`, latest: `${publicUrl}/latest/${self}` }
        const dataset = { ...parking, type: name, title, licences: [licence], links }
        const { jsonLd, turtle, rdfXml } = await readAll([dataset])
        expect(turtle).toEqual(jsonLd)
        expect(rdfXml).toEqual(jsonLd)
      }),
      { numRuns: 50 },
    )
  })

  it('are written again after a failure', async () => {
    const turtle = vi.fn<() => Promise<string>>()
    turtle.mockRejectedValueOnce(new Error('away')).mockResolvedValue('written')
    const forms = { turtle, 'json-ld': turtle, 'rdf-xml': turtle }
    const written = linkedData({ ...source, datasets: [article] }, forms)
    await expect(written({ form: 'turtle' })).rejects.toThrow('away')
    expect(await written({ form: 'turtle' })).toBe('written')
    expect(turtle).toHaveBeenCalledTimes(2)
  })

  it('are written once, and filtered by profile or dataset', async () => {
    const written = linkedData({ ...source, datasets: [article, parking] })
    expect(written({ form: 'turtle' })).toBe(written({ form: 'turtle' }))
    const part = await written({ form: 'turtle', profile: 'mobility' })
    expect([part.includes('ParkingStation'), part.includes('Article')]).toEqual([true, false])
    const one = await written({ form: 'rdf-xml', id: 'content/Article' })
    expect([one.includes('ParkingStation'), one.includes('Article')]).toEqual([false, true])
  })
})
