type Write = (details: object, message: string) => void

/** The part of a pino logger that storage writes to. */
export type Log = { readonly info: Write; readonly warn: Write; readonly error: Write }
