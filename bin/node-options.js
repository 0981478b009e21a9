// Options of Node for the hub and its tests. Plain JavaScript, so that any Node ≥ 20 can load it.

/**
 * Disables the two compilers in which Node 24 occasionally crashes on busy machines
 * (nodejs/node#62393, #64841, both open for 24). The optimising compiler stays on, so long-running
 * code is not slower.
 */
export const stableCompilers = ['--no-sparkplug', '--no-maglev']

/**
 * Options of every hub process. The semi-space is limited because a young generation of 32 MiB
 * retains chunks of large bodies long after they were used.
 */
export const hubFlags = ['--max-semi-space-size=8', ...stableCompilers]

/**
 * Settings of glibc's allocator. By default it keeps an arena of freed memory per thread, with
 * buffers of up to 32 MiB (docs/performance.md). Other C libraries ignore these variables.
 */
export const allocator = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '1048576',
}
