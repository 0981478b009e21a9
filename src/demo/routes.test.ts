import { describe, expect, it } from 'vitest'
import { imageSvg } from './routes.ts'

describe('generated pictures', () => {
  const keys = ['house-1a-1', 'winter-2b-3', 'sky-a', 'sky-g', 'sky-i', 'municipality-3c-2', 'x']

  it('are small, complete SVG documents', () => {
    for (const key of keys) {
      const svg = imageSvg(key)
      expect(Buffer.byteLength(svg)).toBeLessThan(4096)
      expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" .*<\/svg>$/)
      expect(svg).not.toMatch(/NaN|undefined/)
    }
  })

  it('are the same for the same key and differ between keys', () => {
    expect(imageSvg('house-1a-1')).toBe(imageSvg('house-1a-1'))
    expect(new Set(keys.map(imageSvg)).size).toBe(keys.length)
  })

  it('contain no markup from the key', () => {
    expect(imageSvg('house-"><script>alert(1)</script>')).not.toContain('script')
  })
})
