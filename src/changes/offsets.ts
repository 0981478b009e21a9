import { gcmsiv } from '@noble/ciphers/aes.js'
import { createHash } from 'node:crypto'
import type { Visibility } from '../access/index.ts'
import { AppError } from '../errors/index.ts'
import type { Epoch } from './epoch.ts'
import type { Feed, FeedQuery } from './feed.ts'
import type { Place } from './order.ts'

/** How far a reader has come: in the initial list of a feed, or in the changes after it. */
export type Position = Place & {
  /** Sort key of the offsets of a feed (protocol, section 6), in milliseconds. */
  readonly time: number
  readonly kind: 'list' | 'changes'
  /** In the list: where it continues. The place is then where the changes start. */
  readonly after?: string | undefined
  /** Day (since 1970) up to which everything has been read. It determines the age of the offset. */
  readonly day: number
  /**
   * Makes two starting offsets differ, so that comparing them does not reveal whether something was
   * written in between.
   */
  readonly salt?: string | undefined
}

/**
 * Common to readers whose offsets are interchangeable: a feed, their rights and their parameters.
 */
export type Readership = {
  readonly feed: Feed
  readonly visibility: Visibility
  readonly query: FeedQuery
}

export type Offsets = {
  readonly print: (position: Position, of: Readership) => string
  /**
   * @throws AppError HUB-QRY-001 for an invalid offset, HUB-CHG-001 for an offset of other readers
   * or of another epoch
   */
  readonly parse: (offset: string, of: Readership) => Position
  /** Returns a hash of the epoch and the rights that an offset is bound to. It reveals neither. */
  readonly readership: (of: Readership) => string
  /** Returns a hash of a transaction id. It reveals nothing about other transactions. */
  readonly transactionId: (xid: bigint) => string
}

/** AES-GCM-SIV (RFC 8452) allows a constant nonce, so that equal places have equal offsets. */
const nonce = new Uint8Array(12)

/**
 * Offsets are padded to a multiple of this many characters, so that their length does not reveal
 * how many digits the numbers have.
 */
const block = 96

const oneDay = 86_400_000

const shape = /^([0-9a-z]{9})_([\w-]{20,4000})$/

/** Encrypts offsets, so that those of visible changes reveal nothing about changes in between. */
export function openOffsets({ epoch, secret }: Epoch): Offsets {
  let latest: { readonly xid: bigint; readonly id: string } | undefined
  const cipherFor = (of: Readership, time: string) =>
    gcmsiv(secret, nonce, Buffer.concat([boundTo(epoch, of), Buffer.from(time)]))
  return {
    print: (position, of) => {
      const text = JSON.stringify(toWritten(position))
      const padded = Buffer.from(text.padEnd(Math.ceil(text.length / block) * block))
      const time = position.time.toString(36).padStart(9, '0')
      const hidden = Buffer.from(cipherFor(of, time).encrypt(padded)).toString('base64url')
      return `${time}_${hidden}`
    },
    parse: (offset, of) => {
      const [, time = '', hidden = ''] = shape.exec(offset) ?? []
      if (hidden === '') throw unreadable(offset)
      const open = (protectedTime: string) => {
        const text = cipherFor(of, protectedTime).decrypt(Buffer.from(hidden, 'base64url'))
        return toPosition(JSON.parse(Buffer.from(text).toString()), parseInt(time, 36))
      }
      try {
        return open(time)
      } catch {
        return openEarlier(() => open(''), of)
      }
    },
    readership: (of) => digest(secret, boundTo(epoch, of)),
    transactionId: (xid) => {
      // Most messages belong to the same transaction as the previous one.
      if (latest?.xid !== xid) latest = { xid, id: digest(secret, String(xid)).slice(0, 16) }
      return latest.id
    },
  }
}

/**
 * Opens an offset of version 1.0, whose time is not protected. A time after the protected day is
 * forged, so it is limited to that day.
 */
function openEarlier(open: () => Position, { feed }: Readership): Position {
  try {
    const position = open()
    return { ...position, time: Math.min(position.time, (position.day + 1) * oneDay) }
  } catch {
    throw outdated(feed)
  }
}

function digest(secret: Buffer, text: string | Uint8Array): string {
  return createHash('sha256').update(secret).update(text).digest('hex')
}

function toWritten({ kind, xid, sequence, target, after, day, salt }: Position): unknown {
  return [kind, fixed(xid), fixed(sequence), day, target ?? null, after ?? null, salt]
}

const fixed = (number: bigint) => String(number).padStart(20, '0')

function toPosition(written: unknown, time: number): Position {
  const parts: readonly unknown[] = Array.isArray(written) ? written : []
  const [kind, xid, sequence, day, ...texts] = parts
  const [target, after, salt] = texts.map((text) => (typeof text === 'string' ? text : undefined))
  return {
    kind: kind === 'list' ? 'list' : 'changes',
    xid: BigInt(String(xid)),
    sequence: BigInt(String(sequence)),
    day: Number(day),
    time,
    target,
    after,
    salt,
  }
}

/** Binds offsets to a feed, rights and parameters. */
function boundTo(epoch: string, { feed, visibility, query }: Readership): Uint8Array {
  const parameters = Object.entries(query).sort(([left], [right]) => (left < right ? -1 : 1))
  const text = JSON.stringify([epoch, feed.name, parameters, rightsIn(feed, visibility)])
  return createHash('sha256').update(text).digest()
}

/**
 * Returns the rules that may open data of the feed. A change of them may reveal or hide records.
 */
function rightsIn({ area, ruleType, isOpen }: Feed, visibility: Visibility): unknown {
  if (isOpen) return 'open'
  if (visibility.kind === 'everything') return visibility.kind
  return visibility.rules
    .filter((rule) => rule.area === null || area === undefined || rule.area === area)
    .filter(({ type }) => type === null || ruleType === undefined || type === ruleType)
    .map(({ origin, type, dataType, period }) => JSON.stringify([origin, type, dataType, period]))
    .sort()
}

function unreadable(offset: string): AppError {
  const expected = ['-1', 'now', 'the Stream-Next-Offset of a response']
  return new AppError('HUB-QRY-001', `${JSON.stringify(offset)} is not an offset.`, {
    issues: [{ parameter: 'offset', detail: 'is not an offset', expected }],
  })
}

/** Makes the error for an offset after which changes may be missing. */
export function outdated({ name }: Feed): AppError {
  const start = `/changes/${encodeURIComponent(name)}?offset=-1`
  return new AppError(
    'HUB-CHG-001',
    `This offset of the feed ${name} is no longer valid for these parameters and rights.`,
    {
      hint: `Start again with GET ${start}, which lists all records first, and replace your copy.`,
      headers: { link: `<${start}>; rel="start"` },
    },
  )
}
