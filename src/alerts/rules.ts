import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { DefinitionError, readDocument } from '../definitions/index.ts'
import type { Wrong } from '../definitions/index.ts'
import { exactly } from '../lang/schemas.ts'
import { secretPattern } from '../changes/index.ts'
import { conditions } from './conditions.ts'
import type { ConditionName } from './conditions.ts'

const name = (description: string) =>
  Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,63}$', description })

const names = Object.keys(conditions).filter(isCondition)

function isCondition(written: string): written is ConditionName {
  return written in conditions
}

const limits = names.map((one) => `${one}: ${conditions[one].limit}`).join('; ')

const receiver = exactly({
  name: name('Such as operators'),
  email: Type.Optional(
    Type.Array(Type.String({ pattern: '^[^<>@\\s]+@[^<>@\\s]+$', maxLength: 300 }), {
      minItems: 1,
      maxItems: 20,
      description: 'Addresses of an e-mail; it needs HUB_SMTP_URL and HUB_SMTP_FROM',
    }),
  ),
  webhook: Type.Optional(
    Type.String({ pattern: '^https?://\\S+$', maxLength: 2000, description: 'URL to post to' }),
  ),
  secret: Type.Optional(
    Type.String({
      pattern: secretPattern,
      description: 'Key of the signatures (Standard Webhooks): whsec_ and 24 to 64 bytes in base64',
    }),
  ),
})
export type Receiver = Static<typeof receiver>

const rule = exactly({
  name: name('Such as parking-silent'),
  watch: Type.Enum(names, { description: 'What is watched' }),
  of: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 300,
      description:
        'The only stream (provider/dataset), origin or node; default: each of them; not for feed-late',
    }),
  ),
  limit: Type.Number({ minimum: 0, description: limits }),
  for: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 10_080,
      description: 'Minutes for which the condition must hold; default 0',
    }),
  ),
  remind: Type.Optional(
    Type.Number({
      minimum: 0.1,
      maximum: 720,
      description:
        'Hours after which receivers are notified again, unless the alert is acknowledged; default 24',
    }),
  ),
  to: Type.Optional(
    Type.Array(Type.String(), { minItems: 1, description: 'Names of receivers; default: all' }),
  ),
})
export type AlertRule = Static<typeof rule>

const alertFile = exactly({
  receivers: Type.Array(receiver, { minItems: 1, maxItems: 50 }),
  rules: Type.Array(rule, { minItems: 1, maxItems: 200 }),
})
export type AlertFile = Static<typeof alertFile>

const readAlerts = readDocument({ schema: alertFile, title: 'The file of alerts' })

type Mail = 'can be sent' | 'cannot be sent'

/**
 * Loads the file of `HUB_ALERTS` (docs/alerts.md).
 * @throws DefinitionError with everything that is wrong with it
 */
export async function loadAlerts(path: string, mail: Mail): Promise<AlertFile> {
  const file = basename(path)
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) throw unusable([{ file: path, reason: 'there is no such file' }])
  const read = readAlerts(text, file)
  if (read.kind === 'wrong') throw unusable(read.faults)
  const wrong = [...receiverFaults(read.value, mail), ...ruleFaults(read.value)]
  if (wrong.length === 0) return read.value
  throw unusable(
    wrong.map(({ path: field, reason }) => ({
      file,
      ...read.locate(field),
      reason: `${field.join('.')} ${reason}`,
    })),
  )
}

function unusable(faults: ConstructorParameters<typeof DefinitionError>[1]): DefinitionError {
  return new DefinitionError('The alerts of HUB_ALERTS cannot be used', faults)
}

function* receiverFaults({ receivers }: AlertFile, mail: Mail): Generator<Wrong> {
  for (const [index, { email, webhook, secret }] of receivers.entries()) {
    const path = ['receivers', index] as const
    if ((email === undefined) === (webhook === undefined)) {
      yield { path, reason: 'needs either email or webhook' }
    }
    if (webhook !== undefined && secret === undefined) {
      yield { path, reason: 'needs a secret, which signs what is posted' }
    }
    if (email !== undefined && mail === 'cannot be sent') {
      yield { path: [...path, 'email'], reason: 'needs HUB_SMTP_URL and HUB_SMTP_FROM' }
    }
  }
  yield* doubles(receivers, 'receivers')
}

function* ruleFaults({ receivers, rules }: AlertFile): Generator<Wrong> {
  const known = receivers.map((one) => one.name)
  for (const [index, { watch, of, to = [] }] of rules.entries()) {
    if (watch === 'stream-silent' && of === undefined) {
      yield { path: ['rules', index], reason: 'needs of: the stream, as provider/dataset' }
    }
    if (watch === 'feed-late' && of !== undefined) {
      const reason = 'does not apply to feed-late, which watches the hub as a whole'
      yield { path: ['rules', index, 'of'], reason }
    }
    for (const [place, one] of to.entries()) {
      if (known.includes(one)) continue
      const reason = `is not a receiver (there are: ${known.join(', ')})`
      yield { path: ['rules', index, 'to', place], reason }
    }
  }
  yield* doubles(rules, 'rules')
}

function* doubles(named: readonly { readonly name: string }[], list: string): Generator<Wrong> {
  for (const [index, one] of named.entries()) {
    if (named.findIndex((other) => other.name === one.name) === index) continue
    yield { path: [list, index, 'name'], reason: `${one.name} is used twice` }
  }
}
