import type { Rights } from '../api/index.ts'
import { words } from './words.ts'

/** A part of the Desk. */
export type DeskPart = {
  readonly href: string
  readonly title: string
  readonly lead: string
}

type Known = DeskPart & { readonly isFor: (rights: Rights) => boolean }

/** Every part, in the order of the overview. */
function allParts(): readonly Known[] {
  const { parts } = words()
  return [
    {
      href: '/',
      ...parts.records,
      isFor: ({ content }) => content.length > 0,
    },
    {
      href: '/desk/quality',
      ...parts.quality,
      isFor: ({ content, isAdmin }) => content.length > 0 || isAdmin,
    },
    {
      href: '/desk/streams',
      ...parts.streams,
      isFor: ({ push }) => push === null || push.length > 0,
    },
    {
      href: '/desk/access',
      ...parts.access,
      isFor: ({ isAdmin }) => isAdmin,
    },
    {
      href: '/desk/alerts',
      ...parts.alerts,
      isFor: ({ isAdmin }) => isAdmin,
    },
    {
      href: '/desk/status',
      ...parts.status,
      isFor: ({ isAdmin }) => isAdmin,
    },
  ]
}

/** What somebody with these rights can use. */
export function partsFor(rights: Rights): readonly DeskPart[] {
  return allParts().filter(({ isFor }) => isFor(rights))
}
