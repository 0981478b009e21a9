/** Where in a payload something is wrong, as far as it is known. */
export type DecodePlace = {
  /** Name of the step that found it. */
  readonly step?: string | undefined
  /** Counted from 1, both. */
  readonly line?: number | undefined
  readonly column?: number | undefined
  /** JSON pointer (RFC 6901) to the member that could not be decoded. */
  readonly pointer?: string | undefined
}

/** A payload that cannot be decoded: what is wrong with it, and where. The only thing decoding throws. */
export class DecodeFault extends Error {
  readonly reason: string
  readonly place: DecodePlace

  constructor(reason: string, place: DecodePlace = {}) {
    super(`${printPlace(place)}${reason}`)
    this.name = 'DecodeFault'
    this.reason = reason
    this.place = place
  }
}

/** Runs a step; its faults name it, unless they come from a step further inside. */
export function named<Result>(step: string, run: () => Result): Result {
  return placed({ step }, run)
}

/** Runs a part of the decoding; its faults say where it stands. */
export function placed<Result>(place: DecodePlace, run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    if (error instanceof DecodeFault)
      throw new DecodeFault(error.reason, { ...place, ...error.place })
    throw error
  }
}

/** `xml, at /rawdata, line 3, column 7: `, or nothing. */
function printPlace({ step, pointer, line, column }: DecodePlace): string {
  const parts = [
    step,
    pointer === undefined ? undefined : `at ${pointer}`,
    line === undefined ? undefined : `line ${String(line)}`,
    column === undefined ? undefined : `column ${String(column)}`,
  ].filter((part) => part !== undefined)
  return parts.length === 0 ? '' : `${parts.join(', ')}: `
}

/** A part of a payload as a message may show it: short, on one line. */
export function shown(text: string): string {
  const short = text.length > 40 ? `${text.slice(0, 40)}…` : text
  return JSON.stringify(short)
}
