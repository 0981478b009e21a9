// How Node is started, for the hub and for its tests. Plain JavaScript for any Node ≥ 20.

/**
 * Without the two compilers in which Node 24 crashes now and then on busy machines (nodejs/node#62393, #64841,
 * both open for 24). The optimising compiler stays, so nothing that runs for long is slower.
 */
export const stableCompilers = ['--no-sparkplug', '--no-maglev']

/** A young generation of 32 MiB keeps the pieces of large bodies long after they were used. */
export const hubFlags = ['--max-semi-space-size=8', ...stableCompilers]

/**
 * glibc keeps an arena of freed memory for every thread and buffers of up to 32 MiB in it
 * (docs/performance.md). Other C libraries ignore these.
 */
export const allocator = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '1048576',
}
