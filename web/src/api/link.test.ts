import { expect, it } from 'vitest'
import { pathOfLink } from './link.ts'

it('keeps the path of a link, whatever name the hub has there', () => {
  expect(pathOfLink('https://hub.example/v1/Event/{id}')).toBe('/v1/Event/{id}')
  expect(pathOfLink('http://localhost:8080')).toBe('/')
  expect(pathOfLink('/v1/Event')).toBe('/v1/Event')
  expect(pathOfLink(undefined)).toBeUndefined()
})
