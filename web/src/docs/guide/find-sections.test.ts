import { expect, it } from 'vitest'
import { findSections } from './find-sections.ts'

const sections = [
  { slug: 'quotas', page: 'Quotas', id: '', title: 'Quotas', text: 'How many requests.' },
  {
    slug: 'push',
    page: 'Push',
    id: 'order',
    title: 'Order',
    text: 'Requests keep their order (a.b).',
  },
]

it('finds sections that contain all words, those with the words in their heading first', () => {
  expect(findSections(sections, 'requests').map(({ href }) => href)).toEqual([
    ...['/docs/quotas', '/docs/push#order'],
  ])
  expect(findSections(sections, 'order requests').map(({ href }) => href)).toEqual([
    '/docs/push#order',
  ])
  expect(findSections(sections, 'ORDER').map(({ title }) => title)).toEqual(['Order'])
})

it('shows the words around a match, and treats special characters literally', () => {
  const [found] = findSections(sections, 'a.b)')
  expect(found?.excerpt.find(({ isMatch }) => isMatch)?.text).toBe('a.b)')
  expect(findSections(sections, 'a+b')).toEqual([])
  expect(findSections(sections, '  ')).toEqual([])
})
