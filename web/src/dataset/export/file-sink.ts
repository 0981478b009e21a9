/** Where a file is written piece by piece. */
export type FileSink = {
  readonly write: (chunk: Uint8Array<ArrayBuffer>) => Promise<void>
  /** The file is whole. */
  readonly close: () => Promise<void>
  /** The file is not wanted any more. */
  readonly abandon: () => Promise<void>
}

/** Bytes after which pieces become one that the browser may put onto the disk. */
const pieceSize = 8_000_000

/**
 * A file that the person chooses, written as it comes; where browsers do not have that, a download at
 * the end. Call it in the click. Undefined: the person did not want it after all.
 */
export async function openFile(name: string, mediaType: string): Promise<FileSink | undefined> {
  const pick: unknown = Reflect.get(window, 'showSaveFilePicker')
  if (!isPicker(pick)) return downloadAtEnd(name, mediaType)
  try {
    const handle = await pick({ suggestedName: name })
    const stream = await handle.createWritable()
    return {
      write: (chunk) => stream.write(chunk),
      close: () => stream.close(),
      abandon: () => stream.abort(),
    }
  } catch (thrown) {
    if (thrown instanceof DOMException && thrown.name === 'AbortError') return undefined
    // Within frames, and where settings forbid it, there is still the old way.
    return downloadAtEnd(name, mediaType)
  }
}

type Picker = (options: { readonly suggestedName: string }) => Promise<FileSystemFileHandle>

function isPicker(value: unknown): value is Picker {
  return typeof value === 'function'
}

function downloadAtEnd(name: string, mediaType: string): FileSink {
  let pieces: BlobPart[] = []
  let size = 0
  return {
    write: (chunk) => {
      pieces.push(chunk)
      size += chunk.byteLength
      if (size > pieceSize) {
        pieces = [new Blob(pieces)]
        size = 0
      }
      return Promise.resolve()
    },
    close: () => {
      const link = document.createElement('a')
      link.href = URL.createObjectURL(new Blob(pieces, { type: mediaType }))
      link.download = name
      link.click()
      setTimeout(() => {
        URL.revokeObjectURL(link.href)
      }, 60_000)
      return Promise.resolve()
    },
    abandon: () => {
      pieces = []
      return Promise.resolve()
    },
  }
}
