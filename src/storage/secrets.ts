import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { sql } from '../sql/index.ts'
import type { Database } from './database.ts'

/** Encrypts secrets for the database and decrypts them. Unencrypted ones are read unchanged. */
export type Secrets = {
  readonly seal: (secret: string) => string
  /** @throws Error if the secret was encrypted with an unknown key */
  readonly open: (stored: string) => string
  /** Reports whether `seal` would use the same key. */
  readonly isCurrent: (stored: string) => boolean
}

/** Item of `HUB_KEY` with which secrets are stored unencrypted. */
const plain = 'plain'

type Key = { readonly id: string; readonly bytes: Buffer }

/** `sealed:key:…`: nonce, ciphertext and tag of AES-256-GCM (NIST SP 800-38D) in base64url. */
const sealed = /^sealed:([0-9a-f]{8}):([\w-]+)$/
const [nonceLength, tagLength] = [12, 16]

/**
 * @param keys the items of `HUB_KEY`. The first one encrypts, each of them decrypts; without any,
 * nothing is encrypted
 */
export function openSecrets(keys: readonly string[] = []): Secrets {
  const known = keys.filter((key) => key !== plain).map(toKey)
  const writing = keys[0] === plain ? undefined : known[0]
  return {
    seal: (secret) => (writing === undefined ? secret : encrypt(writing, secret)),
    open: (stored) => {
      const [, id, data] = sealed.exec(stored) ?? []
      if (id === undefined || data === undefined) return stored
      const key = known.find((one) => one.id === id)
      if (key === undefined) throw unknownKey(id)
      return decrypt(key, Buffer.from(data, 'base64url'))
    },
    isCurrent: (stored) => sealed.exec(stored)?.[1] === writing?.id,
  }
}

function toKey(base64: string): Key {
  const bytes = Buffer.from(base64, 'base64')
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes }
}

function encrypt({ id, bytes }: Key, secret: string): string {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv('aes-256-gcm', bytes, nonce)
  const parts = [nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]
  return `sealed:${id}:${Buffer.concat(parts).toString('base64url')}`
}

function decrypt({ bytes }: Key, data: Buffer): string {
  const nonce = data.subarray(0, nonceLength)
  const decipher = createDecipheriv('aes-256-gcm', bytes, nonce, { authTagLength: tagLength })
  decipher.setAuthTag(data.subarray(-tagLength))
  const text = decipher.update(data.subarray(nonceLength, -tagLength))
  return Buffer.concat([text, decipher.final()]).toString('utf8')
}

function unknownKey(id: string): Error {
  return new Error(
    `Secrets in the database are encrypted with a key that HUB_KEY does not contain (id ${id}). ` +
      'Add this key to HUB_KEY. If it is lost, see "Encrypted secrets" in docs/backup.md.',
  )
}

/** Stored secrets that would let their reader act as the hub. Passwords are stored as hashes. */
const places = [
  { table: sql`identity_key`, column: sql`private_jwk`, rows: sql`true` },
  { table: sql`change_subscription`, column: sql`secret`, rows: sql`true` },
  { table: sql`feed_epoch`, column: sql`secret`, rows: sql`true` },
  { table: sql`deployment`, column: sql`value`, rows: sql`name like 'secret %'` },
]

/**
 * Encrypts secrets that are stored unencrypted or with an earlier key. Several nodes may do so at
 * once.
 * @throws Error if a secret was encrypted with an unknown key
 */
export async function sealStored(database: Database, secrets: Secrets): Promise<void> {
  for (const { table, column, rows } of places) {
    const found = await database.texts(sql`select ${column} from ${table} where ${rows}`)
    const stored = found.flatMap(([value]) => value ?? [])
    const old = stored.filter((value) => !secrets.isCurrent(value))
    if (old.length === 0) continue
    const renewed = old.map((value) => secrets.seal(secrets.open(value)))
    await database.execute(sql`
      update ${table} set ${column} = changed.after
      from unnest(${old}::text[], ${renewed}::text[]) as changed (before, after)
      where ${column} = changed.before`)
  }
}
