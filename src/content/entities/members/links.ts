import { list, object, text } from './values.ts'

const target = { Id: text, Self: text }

/** A link to another record, generated from its identifier. */
export const link = object(target)
export const links = list(target)

/** Links into a tree of types; `Type` names the level. */
export const typeLinks = list({ ...target, Type: text })
