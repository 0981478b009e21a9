/** Which rows of a column have a value: a bit for each row, the lowest first, as in Arrow. */
export type Validity = {
  readonly bits: Uint8Array
  /** How many rows have none. */
  readonly nulls: number
}

/** The values of a column in some rows. */
export type Vector =
  /** Numbers, milliseconds since 1970, or 1 and 0 for true and false; 0 where there is none. */
  | {
      readonly shape: 'numbers'
      readonly values: Float64Array<ArrayBuffer>
      readonly validity: Validity
    }
  /** Longitudes and latitudes; 0 where there is none. */
  | {
      readonly shape: 'points'
      readonly x: Float64Array<ArrayBuffer>
      readonly y: Float64Array<ArrayBuffer>
      readonly validity: Validity
    }
  | { readonly shape: 'texts'; readonly values: readonly (string | null)[] }
  /** Texts that many rows share: of each row the place of its text; 0 where there is none. */
  | {
      readonly shape: 'shared'
      readonly places: Int32Array<ArrayBuffer>
      readonly validity: Validity
      /** As many of the texts as are there by now; more may be added behind them. */
      readonly texts: readonly string[]
    }

/** Of so many rows, all of which have a value as long as nothing else is said. */
export function markValidity(rows: number) {
  const bits = new Uint8Array(Math.ceil(rows / 8)).fill(0xff)
  let nulls = 0
  return {
    setNull: (row: number) => {
      bits[row >> 3] = (bits[row >> 3] ?? 0) & ~(1 << (row & 7))
      nulls += 1
    },
    end: (): Validity => ({ bits, nulls }),
  }
}

export function isThere({ bits }: Validity, row: number): boolean {
  return ((bits[row >> 3] ?? 0) & (1 << (row & 7))) !== 0
}
