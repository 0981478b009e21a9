import cliProgress from 'cli-progress'

/** A bar that is drawn on terminals only; elsewhere it is silent. */
export type Progress = {
  readonly update: (done: number, total: number) => void
  readonly stop: () => void
}

export function drawProgress(stream: NodeJS.WriteStream, label: string): Progress {
  if (!stream.isTTY) return { update: () => undefined, stop: () => undefined }
  const bar = new cliProgress.SingleBar(
    { stream, format: `${label} {bar} {percentage} %`, hideCursor: true, clearOnComplete: true },
    cliProgress.Presets.shades_classic,
  )
  bar.start(1, 0)
  return {
    update: (done, total) => {
      bar.setTotal(total)
      bar.update(done)
    },
    stop: () => {
      bar.stop()
    },
  }
}
