/** The bytes ended before those that were asked for. */
export class EndOfBytes extends Error {
  override readonly name = 'EndOfBytes'
}

/** Reads a stream of chunks in pieces of any size. */
export class ByteReader {
  /** How many bytes have been read or skipped. */
  position = 0
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  async take(size: number): Promise<Buffer> {
    const parts: Buffer[] = []
    await this.#consume(size, (part) => parts.push(part))
    const [only, another] = parts
    return only !== undefined && another === undefined ? only : Buffer.concat(parts, size)
  }

  /** Reads on without keeping what comes. */
  async skip(size: number, glance: (part: Buffer) => void = () => {}): Promise<void> {
    await this.#consume(size, glance)
  }

  /** Lets go of the stream, read to its end or not. */
  async close(): Promise<void> {
    await this.#chunks.return?.()
  }

  /** Reads to the end and drops what comes. */
  async drain(): Promise<void> {
    await this.#consume(Number.POSITIVE_INFINITY, () => {}).catch((error: unknown) => {
      if (!(error instanceof EndOfBytes)) throw error
    })
  }

  async #consume(size: number, use: (part: Buffer) => void): Promise<void> {
    for (let left = size; left > 0; ) {
      if (this.#rest.length === 0) {
        const { done, value } = await this.#chunks.next()
        if (done === true) throw new EndOfBytes()
        this.#rest = value
      }
      const part = this.#rest.subarray(0, Math.min(left, this.#rest.length))
      this.#rest = this.#rest.subarray(part.length)
      this.position += part.length
      left -= part.length
      use(part)
    }
  }
}
