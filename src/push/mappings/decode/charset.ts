import { Type } from 'typebox'

/** How the steps that read text are told its encoding. */
export const charset = Type.String({
  minLength: 1,
  maxLength: 40,
  description:
    'Encoding, by its label of the web: UTF-8 (default), ISO-8859-1, ISO-8859-15, windows-1252, UTF-16LE …',
})
