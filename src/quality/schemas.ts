import { Type } from 'typebox'

export const address = Type.String({ format: 'uri' })

/** A title in the languages of the hub. */
export const words = Type.Object({ de: Type.String(), it: Type.String(), en: Type.String() })
