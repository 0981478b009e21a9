import { describe, expect, it } from 'vitest'
import { convertFile } from '../../../test/fixtures/convert-file.ts'
import { kml } from './convert.ts'

describe('encodings', () => {
  const text = (encoding: string) =>
    `<?xml version="1.0" encoding="${encoding}"?>\n<kml><Placemark><name>Größe</name><Point><coordinates>1,2</coordinates></Point></Placemark></kml>`
  const utf16 = (written: string) => Buffer.from(written, 'utf16le')
  const swapped = (bytes: Buffer) => Buffer.from(bytes).swap16()
  const bom = '\uFEFF'
  it.each([
    ['UTF-8', Buffer.from(text('UTF-8')), undefined],
    ['UTF-8 with a byte order mark', Buffer.from(bom + text('utf-8')), undefined],
    ['UTF-8 that says that it is UTF-16', Buffer.from(text('utf-16')), undefined],
    ['UTF-16, low bytes first', utf16(bom + text('UTF-16')), undefined],
    ['UTF-16, high bytes first', swapped(utf16(bom + text('UTF-16'))), undefined],
    ['UTF-16 without a mark', utf16(text('UTF-16')), undefined],
    ['UTF-16 without a mark, high bytes first', swapped(utf16(text('UTF-16'))), undefined],
    ['ISO-8859-1', Buffer.from(text('ISO-8859-1'), 'latin1'), undefined],
    [
      'Windows-1252 in single quotes',
      Buffer.from(text('windows-1252').replaceAll('"', "'"), 'latin1'),
      undefined,
    ],
    ['a charset before the declaration', Buffer.from(text('UTF-8'), 'latin1'), 'iso-8859-1'],
    ['a mark before the charset', Buffer.from(bom + text('UTF-8')), 'iso-8859-1'],
  ])('are decoded: %s', async (_title, bytes, charset) => {
    const options = charset === undefined ? {} : { charset }
    expect(await convertFile(kml, bytes, options)).toEqual({ type: 'Point', coordinates: [1, 2] })
  })

  it('are rejected if bytes are not valid in them, or if they are unknown', async () => {
    const latin = Buffer.from(text('UTF-8'), 'latin1')
    await expect(convertFile(kml, latin)).rejects.toThrow('The file has bytes that are not utf-8.')
    await expect(convertFile(kml, text('EBCDIC-42'))).rejects.toThrow(
      'There is no encoding "EBCDIC-42".',
    )
  })
})
