/**
 * A value of a subject: a stream, an origin or a node; the subject is empty for the hub as a whole.
 */
export type Measured = { readonly subject: string; readonly value: number }

export type Sample = {
  readonly labels: Readonly<Partial<Record<string, string | number>>>
  readonly value: number
}

/** The sources of the measured values. */
export type Measuring = {
  /** Returns the current samples of a metric, as `/metrics` shows them. */
  readonly samples: (metric: string) => Promise<readonly Sample[]>
  /**
   * Returns the minutes since the last message of a stream; infinite if there has never been one.
   */
  readonly silentFor: (stream: string) => Promise<number>
  /**
   * Returns the percentage of recent responses that are errors of the hub; undefined if there were
   * few.
   */
  readonly errors: () => Promise<number | undefined>
  readonly node: string
}

type Condition = {
  readonly limit: string
  readonly firesWhen: 'above' | 'below'
  /** `node`: each node has its own value, and is the subject. */
  readonly scope: 'hub' | 'node'
  readonly describe: (subject: string, value: string) => string
  /** @param of the subject in the rule */
  readonly measure: (by: Measuring, of: string) => Promise<readonly Measured[]>
}

const minute = 60
const gibibyte = 1_073_741_824

/** Returns a number with its unit: `1 minute`, `1.5 minutes`. */
const count = (value: string, unit: string) => `${value} ${unit}${value === '1' ? '' : 's'}`

/** Returns a function that measures a metric by one of its labels, in a unit that people use. */
const metric =
  (name: string, { label = '', unit = 1 }) =>
  async ({ samples }: Measuring) =>
    (await samples(name)).map(({ labels, value }) => ({
      subject: String(labels[label] ?? ''),
      value: value / unit,
    }))

/** The conditions that a rule can watch. Alerts and graphs agree, because both use the metrics. */
export const conditions = {
  'stream-silent': {
    limit: 'Minutes since the last message of the stream in `of`; also if there has never been one',
    firesWhen: 'above',
    scope: 'hub',
    describe: (stream, value) => `No message on ${stream} for ${count(value, 'minute')}`,
    measure: async ({ silentFor }, stream) => [{ subject: stream, value: await silentFor(stream) }],
  },
  'series-stale': {
    limit: 'Percent of the series of an origin that are `stale` or `silent`',
    firesWhen: 'above',
    scope: 'hub',
    describe: (origin, value) => `${value} % of the series of ${origin} are stale`,
    measure: measureStale,
  },
  'queue-old': {
    limit: 'Minutes that the oldest message of a stream has been waiting',
    firesWhen: 'above',
    scope: 'hub',
    describe: (stream, value) =>
      `A message on ${stream} has been waiting for ${count(value, 'minute')}`,
    measure: metric('hub_push_oldest_waiting_seconds', { label: 'stream', unit: minute }),
  },
  'messages-dead': {
    limit: 'Dead messages of a stream',
    firesWhen: 'above',
    scope: 'hub',
    describe: (stream, value) =>
      `Every attempt to store ${count(value, 'message')} on ${stream} has failed`,
    measure: metric('hub_push_dead_messages', { label: 'stream' }),
  },
  'feed-late': {
    limit: 'Minutes that an open transaction has held back the change feeds',
    firesWhen: 'above',
    scope: 'hub',
    describe: (_subject, value) =>
      `A transaction has held back the change feeds for ${count(value, 'minute')}`,
    measure: metric('hub_feed_held_back_seconds', { unit: minute }),
  },
  'disk-low': {
    limit: 'GiB left on the disk of the database, if the hub knows it (`HUB_PUSH_DISK`)',
    firesWhen: 'below',
    scope: 'node',
    describe: (node, value) => `The disk of the database has ${value} GiB left (${node})`,
    measure: async (by) =>
      (await metric('hub_push_free_disk_bytes', { unit: gibibyte })(by))
        .filter(({ value }) => value > 0)
        .map(({ value }) => ({ subject: by.node, value })),
  },
  'error-rate': {
    limit:
      'Percent of the responses of the last five minutes with status 500 or more, if there are 20 or more',
    firesWhen: 'above',
    scope: 'node',
    describe: (node, value) => `${value} % of the responses of ${node} are errors of the hub`,
    measure: async ({ errors, node }) => {
      const value = await errors()
      return value === undefined ? [] : [{ subject: node, value }]
    },
  },
} as const satisfies Record<string, Condition>

export type ConditionName = keyof typeof conditions

const staleStates = ['stale', 'silent']

async function measureStale({ samples }: Measuring): Promise<readonly Measured[]> {
  const byOrigin = Map.groupBy(await samples('hub_timeseries_series'), ({ labels }) =>
    String(labels['origin']),
  )
  return [...byOrigin].map(([subject, series]) => {
    const stale = series.filter(({ labels }) => staleStates.includes(String(labels['state'])))
    return { subject, value: (100 * sum(stale)) / Math.max(1, sum(series)) }
  })
}

function sum(samples: readonly Sample[]): number {
  return samples.reduce((total, { value }) => total + value, 0)
}

/** Minimum number of responses for a meaningful share. */
const enough = 20

/** Number of evaluations, one a minute, over which the share of errors is computed. */
const lookBack = 5

/**
 * Returns a function that measures the share of errors in the last minutes, from earlier counts it
 * keeps.
 */
export function errorMeter(samples: Measuring['samples']): Measuring['errors'] {
  const counted: { readonly all: number; readonly errors: number }[] = []
  return async () => {
    const answered = await samples('hub_http_requests_total')
    const errors = answered.filter(({ labels }) => Number(labels['status']) >= 500)
    const now = { all: sum(answered), errors: sum(errors) }
    const before = counted[0]
    counted.push(now)
    if (counted.length > lookBack) counted.shift()
    if (before === undefined || now.all - before.all < enough) return undefined
    return (100 * (now.errors - before.errors)) / (now.all - before.all)
  }
}
