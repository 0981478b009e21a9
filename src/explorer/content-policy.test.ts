import { expect, it } from 'vitest'
import { contentPolicy } from './content-policy.ts'

it('lets the page ask the hub alone, and nothing in line', () => {
  const policy = contentPolicy([])
  expect(policy).toContain("connect-src 'self';")
  expect(policy).toContain("default-src 'self';")
  expect(policy).not.toContain('unsafe')
})

it('shows pictures without https only where the hub has none', () => {
  expect(contentPolicy(['https://hub.example'])).toContain("img-src 'self' data: blob: https:;")
  expect(contentPolicy(['http://localhost:8080'])).toContain(
    "img-src 'self' data: blob: https: http:;",
  )
})

it('lets it ask the origins that the settings name, each once', () => {
  const policy = contentPolicy([
    'https://id.example/realms/hub',
    'https://id.example/realms/hub',
    'https://{s}.tiles.example/{z}/{x}/{y}.png',
  ])
  expect(policy).toContain("connect-src 'self' https://id.example https://*.tiles.example;")
})
