import { runConformanceTests } from '@durable-streams/server-conformance-tests'
import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
import { describeOn } from '../fixtures/databases.ts'
import { openFollowedHub } from '../fixtures/followed-hub.ts'
import type { FollowedHub } from '../fixtures/followed-hub.ts'
import { startStreamAdapter } from '../fixtures/stream-adapter.ts'

/** Groups of the suite, or single tests, that do not apply to a hub, by reason. */
const leftOut: Readonly<Record<string, readonly string[]>> = {
  'A hub has no write side; this tests only the adapter': [
    'Basic Stream Operations',
    'Append Operations',
    'Case-Insensitivity',
    'Idempotent Producer Operations',
    'Stream Closure',
    'Sequence Ordering Properties',
    'should return correct headers on PUT',
    'should return 200 on idempotent PUT with same config',
    'should return 409 on PUT with different config',
    'should return correct headers on POST',
    'should return 404 on POST to non-existent stream',
    'should return 409 on content-type mismatch',
    'should return 404 on DELETE non-existent stream',
    'should return 204 on successful DELETE',
    'should enforce sequence ordering',
    'should enforce lexicographic seq ordering ("2" then "10" rejects)',
    'should allow lexicographic seq ordering ("09" then "10" succeeds)',
    'should reject duplicate seq values',
    'should enforce case-sensitive seq ordering',
    'should include X-Content-Type-Options: nosniff on PUT responses',
    'should include X-Content-Type-Options: nosniff on POST responses',
    'should reject empty POST body with 400',
    'should handle PUT with initial body correctly',
    'should return Location header on 201',
    'should reject missing Content-Type on POST',
    'should accept PUT without Content-Type (use default)',
    'should allow PUT with empty array body (creates empty stream)',
    'should reject POST with empty array body',
    'should reject invalid JSON with 400',
    'should reject empty JSON arrays with 400',
    'concurrent writers with sequence numbers - server handles gracefully',
    'concurrent writers racing with incrementing seq values',
  ],
  'A feed does not expire': [
    'TTL and Expiry Validation',
    'TTL and Expiry Edge Cases',
    'HEAD Metadata Edge Cases',
    'TTL Expiration Behavior',
  ],
  'A feed cannot be forked': [
    'Fork - Creation',
    'Fork - Reading',
    'Fork - Appending',
    'Fork - Recursive',
    'Fork - Live Modes',
    'Fork - Deletion and Lifecycle',
    'Fork - TTL and Expiry',
    'Fork - JSON Mode',
    'Fork - Edge Cases',
  ],
  'A feed is JSON; this tests only what the adapter makes of it': [
    'Content-Type Validation',
    'should return empty body for offset=now on non-JSON streams',
    'should handle binary data with integrity',
    'base64 SSE catch-up pairs every data event with a control event',
    'should handle newlines in text/plain payloads',
    'should auto-detect binary streams and return base64 encoded data in SSE mode',
    'should include Stream-SSE-Data-Encoding header for binary streams',
    'should NOT include Stream-SSE-Data-Encoding header for text/plain streams',
    'should base64 encode data events only, control events remain JSON',
    'should handle empty binary payload with auto-detected base64 encoding',
    'should handle large binary payload with auto-detected base64 encoding',
    'should handle binary data with special bytes using auto-detected base64 encoding',
    'should auto-detect base64 encoding for application/x-protobuf streams',
    'should auto-detect base64 encoding for image/png streams',
    'should handle offset=now with auto-detected base64 encoding for binary streams',
  ],
  'Offsets of beginnings differ, so that two of them do not reveal what was written between': [
    'should return correct tail offset for offset=now',
    'should support offset=now with long-poll mode (waits for data)',
    'should support offset=now with SSE mode',
    'should handle SSE for empty stream with correct offset',
    'should return 304 Not Modified for matching If-None-Match',
  ],
  'A parameter without a value is the same as none, in all services of a hub': [
    'should reject empty offset parameter',
  ],
}

const reasons = new Map(
  Object.entries(leftOut).flatMap(([reason, names]) => names.map((name) => [name, reason] as const)),
)

type Named = { readonly name: string; readonly suite?: Named | undefined }

function reasonFor({ name, suite }: Named): string | undefined {
  return reasons.get(name) ?? (suite && reasonFor(suite))
}

describeOn('postgresql', 'The conformance suite of Durable Streams', () => {
  const options = { baseUrl: '', longPollTimeoutMs: 40_000 }
  let followed: FollowedHub
  let adapter: Awaited<ReturnType<typeof startStreamAdapter>>
  let ticking: NodeJS.Timeout

  beforeAll(async () => {
    followed = await openFollowedHub('postgresql')
    adapter = await startStreamAdapter(followed)
    options.baseUrl = adapter.url
    ticking = setInterval(() => {
      followed.hub.tick(100)
    }, 50)
  })
  afterAll(async () => {
    clearInterval(ticking)
    await adapter.close()
    await followed.close()
  })
  beforeEach(({ task, skip }) => {
    const reason = reasonFor(task)
    if (reason !== undefined) skip(reason)
  })

  describe.concurrent('reads', () => {
    runConformanceTests(options)
  })
})
