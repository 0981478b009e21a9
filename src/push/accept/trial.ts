import { endingOf } from '../outcome.ts'
import type { Stored } from '../pipeline.ts'
import type { PushDeps } from '../push-deps.ts'
import { mayBackdate } from './accept-message.ts'
import type { SentMessage } from './accept-message.ts'
import { unpack } from './unpack.ts'

/** Without the digest, as a receipt has it. */
function mappingOf({ mapping }: Stored) {
  return mapping === undefined ? {} : { mapping: { name: mapping.name, version: mapping.version } }
}

/** The answer to `dryrun=true`: what would become of the message, of which nothing stays. */
export async function toTrialAnswer(deps: PushDeps, sent: SentMessage): Promise<string> {
  const { stream, sender, headers, received } = sent
  const body = await unpack(received.bytes, headers['content-encoding'], deps.bodyLimit)
  const outcome = await deps.tryOut({
    stream,
    received: deps.now(),
    sender: sender.client,
    mayBackdate: mayBackdate(sender),
    contentType: sent.contentType ?? null,
    body,
  })
  const { unread: _among, ...shown } = outcome
  const message = 'Nothing was stored: this was a dry run'
  const what = { ...endingOf(outcome), ...shown, ...mappingOf(outcome) }
  return JSON.stringify({ message, dryrun: true, ...what })
}
